import eslint from '@eslint/js';
import nx from '@nx/eslint-plugin';
import tseslint from 'typescript-eslint';
import { rooms } from './tools/lint/rooms.mjs';

/** Allowed imports between packages. ARCHITECTURE.md contains the same table. */
const packages = {
  codegen: [],
  types: [],
  client: ['types'],
  daemon: ['client', 'types'],
  oracle: [],
  devnode: ['types'],
  demo: ['types', 'client', 'daemon', 'devnode'],
  bench: ['oracle', 'types', 'client', 'daemon', 'codegen', 'devnode', 'demo'],
  package: ['daemon', 'bench'],
  proofs: ['oracle', 'types', 'client', 'daemon', 'codegen', 'devnode', 'demo', 'bench'],
  e2e: ['types', 'client', 'daemon', 'codegen', 'devnode', 'demo', 'bench', 'package', 'proofs'],
};

const timers = ['setTimeout', 'setInterval'];
const rawTimer = 'Delays from outside must be clamped: use the clock of the client (packages/client/src/clock.ts).';
const lostSignal =
  'Node 20 can lose its timer to the garbage collector: use startTimeout or joinSignals of the client.';
const lostSignals = [
  {
    selector: "MemberExpression[property.name=/^(any|timeout)$/][object.property.name='AbortSignal']",
    message: lostSignal,
  },
];
const rawTimers = [
  {
    selector: `MemberExpression[object.name='globalThis'][property.name=/^(${timers.join('|')})$/]`,
    message: rawTimer,
  },
];

export default tseslint.config(
  {
    ignores: [
      '**/dist/**',
      '**/.nx/**',
      '**/.reports/**',
      '**/gen/**',
      '**/fixtures/**',
      '**/recordings/**',
      '.hubwatch/**',
    ],
  },
  eslint.configs.recommended,
  {
    files: ['**/*.ts'],
    // Rules that require types run in oxlint (.oxlintrc.json): without a type program, ESLint takes a few seconds.
    extends: [tseslint.configs.base, tseslint.configs.eslintRecommended],
    plugins: { '@nx': nx },
    rules: {
      '@nx/enforce-module-boundaries': [
        'error',
        {
          enforceBuildableLibDependency: false,
          // Event tables are loaded when first needed; the rest of types is imported statically.
          checkDynamicDependenciesExceptions: ['@hubwatch/types.*'],
          // Test settings are shared by relative path; a package may import its own published entry in tests.
          allow: ['../../vitest.shared.js'],
          allowCircularSelfDependency: true,
          depConstraints: Object.entries(packages).map(([name, allowed]) => ({
            sourceTag: `scope:${name}`,
            onlyDependOnLibsWithTags: [`scope:${name}`, ...allowed.map((other) => `scope:${other}`)],
          })),
        },
      ],
      'no-unused-vars': 'off',
      'no-restricted-exports': ['error', { restrictDefaultExports: { direct: true, named: true } }],
    },
  },
  { files: ['**/vitest.config.ts', 'vitest.shared.ts', '**/*.d.ts'], rules: { 'no-restricted-exports': 'off' } },
  {
    files: ['**/*.test.ts'],
    rules: {
      // A busy machine must not fail a test: benchmarks measure speed.
      'no-restricted-syntax': [
        'error',
        {
          selector: "CallExpression[callee.name='expect'] MemberExpression[property.name='now']",
          message: 'Tests must not assert elapsed time: assert an order or a count, or write a bench.',
        },
      ],
    },
  },
  {
    // Timers and their clamping are in client/src/clock.ts; signals that the garbage collector may drop are not used.
    files: ['packages/{client,codegen,daemon}/src/**/*.ts'],
    ignores: ['**/*.test.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        ...['any', 'timeout'].map((property) => ({ object: 'AbortSignal', property, message: lostSignal })),
      ],
      'no-restricted-syntax': ['error', ...lostSignals],
    },
  },
  {
    files: ['packages/{client,daemon}/src/**/*.ts'],
    ignores: ['**/*.test.ts', 'packages/client/src/clock.ts'],
    rules: {
      'no-restricted-globals': ['error', ...timers.map((name) => ({ name, message: rawTimer }))],
      'no-restricted-syntax': ['error', ...lostSignals, ...rawTimers],
    },
  },
  {
    files: ['**/*.mjs'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        setTimeout: 'readonly',
        clearTimeout: 'readonly',
        URL: 'readonly',
        performance: 'readonly',
        Buffer: 'readonly',
        fetch: 'readonly',
      },
    },
  },
  {
    // Imports between folders of a package: boundaries.json of the package.
    files: ['{packages,tools}/*/src/**/*.ts'],
    ignores: ['**/*.test.ts'],
    plugins: { hubwatch: { rules: { rooms } } },
    rules: { 'hubwatch/rooms': 'error' },
  },
);

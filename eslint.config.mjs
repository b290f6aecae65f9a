import { readFileSync } from 'node:fs';
import eslint from '@eslint/js';
import nx from '@nx/eslint-plugin';
import tseslint from 'typescript-eslint';

/** Who may import whom: package by package. The same table stands in ARCHITECTURE.md. */
const packages = {
  codegen: [],
  types: [],
  client: ['types'],
  daemon: ['client', 'types'],
  devnode: ['types'],
  demo: ['types', 'client', 'daemon', 'devnode'],
  bench: ['types', 'client', 'daemon', 'codegen', 'devnode', 'demo'],
  proofs: ['types', 'client', 'daemon', 'codegen', 'devnode', 'demo', 'bench'],
  e2e: ['types', 'client', 'daemon', 'codegen', 'devnode', 'demo', 'bench', 'proofs'],
};

/** Inside a package, folder by folder: what a folder may import besides itself. Files directly in src may import all. */
const folders = {
  daemon: JSON.parse(readFileSync(new URL('packages/daemon/boundaries.json', import.meta.url), 'utf8')),
};

const folderRules = Object.entries(folders).flatMap(([name, table]) =>
  Object.entries(table).map(([folder, allowed]) => {
    const forbidden = Object.keys(table).filter((other) => other !== folder && !allowed.includes(other));
    return {
      files: [`packages/${name}/src/${folder}/**/*.ts`],
      ignores: ['**/*.test.ts'],
      rules: {
        'no-restricted-imports': [
          'error',
          {
            patterns: forbidden.map((other) => ({
              regex: `^(\\.\\./)+${other}(/|\\.js$|$)`,
              message: `${folder}/ may import only ${[folder, ...allowed].join(', ')} (packages/${name}/boundaries.json).`,
            })),
          },
        ],
      },
    };
  }),
);

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
    extends: [tseslint.configs.strictTypeChecked],
    plugins: { '@nx': nx },
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@nx/enforce-module-boundaries': [
        'error',
        {
          enforceBuildableLibDependency: false,
          // Tables of events are loaded when they are first needed; the rest of types is imported as usual.
          checkDynamicDependenciesExceptions: ['@hubwatch/types.*'],
          // Test settings are shared by path; a package may use its own published entry in tests.
          allow: ['../../vitest.shared.js'],
          allowCircularSelfDependency: true,
          depConstraints: Object.entries(packages).map(([name, allowed]) => ({
            sourceTag: `scope:${name}`,
            onlyDependOnLibsWithTags: [`scope:${name}`, ...allowed.map((other) => `scope:${other}`)],
          })),
        },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-confusing-void-expression': 'off',
      '@typescript-eslint/no-meaningless-void-operator': 'off',
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      'no-restricted-exports': ['error', { restrictDefaultExports: { direct: true, named: true } }],
    },
  },
  { files: ['**/vitest.config.ts', 'vitest.shared.ts', '**/*.d.ts'], rules: { 'no-restricted-exports': 'off' } },
  {
    files: ['**/*.test.ts'],
    rules: {
      // Tests poke at wrong types on purpose and assert on what is known to be there.
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/only-throw-error': 'off',
      '@typescript-eslint/unbound-method': 'off',
      '@typescript-eslint/no-misused-spread': 'off',
      '@typescript-eslint/no-unsafe-enum-assignment': 'off',
      '@typescript-eslint/no-unsafe-enum-comparison': 'off',
      '@typescript-eslint/no-unnecessary-type-assertion': 'off',
      '@typescript-eslint/await-thenable': 'off',
      '@typescript-eslint/no-unnecessary-condition': 'off',
      // A busy machine must not turn a test red: speed is shown by benches.
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
    // Timers and their clamping live in client/src/clock.ts; signals that the garbage collector may drop are not used.
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
  // Descriptors that a proof makes have numbers where the runtime has enums; what a driver casts is checked by the proof.
  {
    files: ['tools/proofs/src/**/*.ts'],
    rules: {
      '@typescript-eslint/no-unsafe-enum-assignment': 'off',
      '@typescript-eslint/no-unnecessary-type-assertion': 'off',
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
  // The boundary test lints texts under these names that exist on no disk, so they have no type information.
  {
    files: ['**/boundary-fixture.ts'],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: { parserOptions: { projectService: false } },
  },
  ...folderRules,
);

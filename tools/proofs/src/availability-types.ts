import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Gap, Spec, TransportKind } from '@hubwatch/codegen';

export const repositoryRoot = fileURLToPath(new URL('../../..', import.meta.url));

/** A method on a transport, with its availability in the spec. */
export interface Pair {
  /** `<service>/<method> <transport>`. */
  readonly name: string;
  readonly service: string;
  readonly method: string;
  readonly kind: TransportKind;
  /** Absent if the pair is served. */
  readonly gap?: Gap | undefined;
}

/** Every pair of the spec. */
export function pairsOf({ availability }: Spec): Pair[] {
  return Object.entries(availability.services).flatMap(([service, methods]) =>
    Object.entries(methods).flatMap(([method, lines]) =>
      (Object.entries(lines) as [TransportKind, string][]).map(([kind, line]) => ({
        name: `${service}/${method} ${kind}`,
        service,
        method,
        kind,
        gap: line === 'served' ? undefined : availability.unserved[line],
      })),
    ),
  );
}

/**
 * Compiles one program with a call for every pair, in a single run of TypeScript 7. The types come from `source` (a
 * folder such as packages/types/src).
 *
 * @returns the compiler's message for each pair's line; a pair without an entry compiles
 */
export function compileCalls(pairs: readonly Pair[], source: string): Map<string, string> {
  const constants = readConstants(source);
  // Inside the repository, so that the compiler finds the types of Node.
  const parent = join(repositoryRoot, 'tools/proofs/.nx');
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, 'availability-'));
  try {
    const firstCall = writeProgram(folder, source, pairs, constants);
    const tsc = join(repositoryRoot, 'node_modules/@typescript/native/bin/tsc');
    const run = spawnSync(process.execPath, [tsc, '-p', folder, '--pretty', 'false'], { encoding: 'utf8' });
    const said = new Map<string, string>();
    for (const text of `${run.stdout}${run.stderr}`.split('\n')) {
      const line = /calls\.ts\((\d+),\d+\): error/.exec(text)?.[1];
      const pair = line === undefined ? undefined : pairs[Number(line) - firstCall];
      if (pair !== undefined) said.set(pair.name, said.get(pair.name) ?? text);
      else if (text.includes('error TS')) throw new Error(`the program itself does not compile: ${text}`);
    }
    if (run.status !== 0 && said.size === 0) throw new Error(`the compiler failed: ${run.stdout}${run.stderr}`);
    return said;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface Constant {
  readonly name: string;
  /** Path below the source folder, without its extension. */
  readonly module: string;
}

/** Method constants by `<service>/<method>`, as named in the comment above each constant. */
function readConstants(source: string): Map<string, Constant> {
  const constants = new Map<string, Constant>();
  for (const entry of readdirSync(join(source, 'gen/methods'), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.ts')) continue;
    const path = join(entry.parentPath, entry.name);
    const module = relative(source, path).replaceAll('\\', '/').replace(/\.ts$/, '');
    const declared = /\/\*\* ([\w.]+\/\w+)(?:: .*)? \*\/\nexport const (\w+): Method</g;
    for (const [, method = '', name = ''] of readFileSync(path, 'utf8').matchAll(declared)) {
      constants.set(method, { name, module });
    }
  }
  return constants;
}

const head = [
  "import type { AnyMethod, RequestOf, TransportKind } from 'types/runtime/method.js';",
  'declare function call<M extends AnyMethod, K extends TransportKind>(kind: K, method: M, request: RequestOf<M, K>): void;',
];

/** Writes the program and returns the line number of its first call. */
function writeProgram(
  folder: string,
  source: string,
  pairs: readonly Pair[],
  constants: ReadonlyMap<string, Constant>,
): number {
  const aliases = new Map<string, string>();
  const lines = [...head];
  for (const { service, method } of pairs) {
    const name = `${service}/${method}`;
    if (aliases.has(name)) continue;
    const constant = constants.get(name);
    if (constant === undefined) throw new Error(`${name} is in the spec and has no constant in ${source}`);
    aliases.set(name, `m${aliases.size}`);
    lines.push(`import { ${constant.name} as ${aliases.get(name)} } from 'types/${constant.module}.js';`);
  }
  const calls = pairs.map(
    ({ service, method, kind }) => `call('${kind}', ${aliases.get(`${service}/${method}`)}, {});`,
  );
  writeFileSync(join(folder, 'calls.ts'), [...lines, ...calls, ''].join('\n'));
  const types = relative(folder, source).replaceAll('\\', '/');
  const config = {
    extends: `${relative(folder, repositoryRoot).replaceAll('\\', '/')}/tsconfig.base.json`,
    compilerOptions: { composite: false, noEmit: true, paths: { 'types/*': [`${types}/*`] } },
    files: ['calls.ts'],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  return lines.length + 1;
}

/** Folder of the package's own sources. */
export const typesSource = join(dirname(fileURLToPath(import.meta.url)), '../../../packages/types/src');

/** Returns the mismatch between a pair and the compiler's message, if any. */
export function judge(pair: Pair, said: string | undefined): string | undefined {
  if (pair.gap === undefined) return said && `is served and does not compile: ${said}`;
  if (said === undefined) return 'is not served and compiles';
  const { method: other, same_method_over: same } = pair.gap.replacement ?? {};
  const speakOf = (service: string): string => service.slice(0, service.lastIndexOf('.'));
  const [otherService = '', otherMethod = ''] = other?.split('/') ?? [];
  const wanted = [
    `${speakOf(pair.service)} ${pair.method} ${pair.gap.reason}; call `,
    same === undefined ? `; call ${speakOf(otherService)} ${otherMethod}` : '; call it over ',
    ' instead.',
  ];
  const missing = wanted.find((part) => !said.includes(part));
  return missing === undefined ? undefined : `the compiler does not say "${missing.trim()}": ${said}`;
}

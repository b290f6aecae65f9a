import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, test } from 'vitest';

import { allMethods } from './gen/methods/all.js';
import type { AnyMethod, TransportKind } from './runtime/method.js';

const transports: readonly TransportKind[] = ['grpc', 'rest', 'abci'];

interface Pair {
  readonly method: AnyMethod;
  readonly kind: TransportKind;
  readonly reason: string;
  /** Line of the call in the file that must not compile. */
  readonly line: number;
}

/** Writes a file that makes every unserved call, one per line. */
function writeCalls(folder: string): Pair[] {
  const head = [
    "import { allMethods } from '@hubwatch/types/gen/methods/all';",
    "import type { AnyMethod, RequestOf, TransportKind } from '@hubwatch/types';",
    'declare function call<M extends AnyMethod, K extends TransportKind>(kind: K, method: M, request: RequestOf<M, K>): void;',
    'void allMethods;',
  ];
  const imports: string[] = [];
  const calls: string[] = [];
  const pairs: Omit<Pair, 'line'>[] = [];
  for (const method of allMethods) {
    for (const kind of transports) {
      const availability = method.availability[kind];
      if (availability.served) continue;
      const alias = `method${pairs.length}`;
      imports.push(
        `import { ${constantOf(method)} as ${alias} } from '@hubwatch/types/gen/methods/${moduleOf(method)}';`,
      );
      calls.push(`call('${kind}', ${alias}, {} as never as object);`);
      pairs.push({ method, kind, reason: availability.reason });
    }
  }
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'calls.ts'), [...head, ...imports, ...calls, ''].join('\n'));
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      extends: '../../../../tsconfig.base.json',
      compilerOptions: { composite: false, noEmit: true },
      files: ['calls.ts'],
    }),
  );
  const firstCall = head.length + imports.length + 1;
  return pairs.map((pair, index) => ({ ...pair, line: firstCall + index }));
}

function constantOf({ name }: AnyMethod): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

function moduleOf({ service }: AnyMethod): string {
  const segments = service.split('.');
  const simple = segments.pop() ?? '';
  return [...segments, simple.replace(/(?<=[a-z])[A-Z]/g, '-$&').toLowerCase()].join('/');
}

describe('calls that hub v12 does not serve', () => {
  let pairs: Pair[];
  let output: string;

  beforeAll(() => {
    const folder = join(import.meta.dirname, '../.nx/unserved-calls');
    pairs = writeCalls(folder);
    const tsc = join(import.meta.dirname, '../../../node_modules/@typescript/native/bin/tsc');
    const run = spawnSync(process.execPath, [tsc, '-p', folder, '--pretty', 'false'], { encoding: 'utf8' });
    output = run.stdout + run.stderr;
  });

  test('types: every unserved pair fails to compile, and the first line states the reason and the alternative', () => {
    expect(pairs).toHaveLength(55);
    const missing = pairs.filter(({ line, reason }) => {
      const message = output.split('\n').find((text) => text.includes(`calls.ts(${line},`));
      return !message?.includes(reason);
    });
    expect(missing.map(({ method, kind }) => `${method.service}/${method.name} ${kind}`)).toEqual([]);
  });

  test('types: only these calls fail', () => {
    const errors = output.split('\n').filter((text) => text.includes('error TS'));
    expect(errors).toHaveLength(pairs.length);
  });

  test('methods: a reason is one sentence with its replacement', () => {
    for (const { reason } of pairs)
      expect(reason).toMatch(/^[a-z0-9.]+ [A-Za-z0-9]+ (is|has) [^;]+; call .+ instead\.$/);
  });
});

import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allServices } from '@hubwatch/types/gen/services/all';
import type { AnyMethod, List, TransportKind } from '@hubwatch/types/runtime/method';
import { beforeAll, describe, expect, test } from 'vitest';

const kinds: readonly TransportKind[] = ['grpc', 'rest', 'abci'];

interface Pair {
  readonly name: string;
  readonly kind: TransportKind;
  /** Why the compiler must reject the calls; `undefined` if they must compile. */
  readonly reason: string | undefined;
  /** Line numbers of the calls. */
  readonly lines: readonly number[];
}

/** Writes a file that calls every method of every service over every transport, in every possible form. */
function writeCalls(folder: string): Pair[] {
  const text = [
    "import { createClient, type Transport } from '@hubwatch/client';",
    "import type { TransportKind } from '@hubwatch/types';",
    'declare function over<K extends TransportKind>(kind: K): Transport<K>;',
  ];
  const pairs: Pair[] = [];
  for (const [index, { name: service, methods }] of allServices.entries()) {
    text.push(`import { ${objectOf(service)} as service${index} } from '@hubwatch/types/${packageOf(service)}';`);
    for (const kind of kinds) {
      const client = `${kind}${index}`;
      text.push(`const ${client} = createClient(service${index}, over('${kind}'));`);
      for (const [name, method] of Object.entries(methods as Readonly<Record<string, AnyMethod & Partial<List>>>)) {
        const call = `${client}.${name}`;
        const calls = [`${call}();`, `${call}({});`, `${call}({}, { height: 5n });`];
        if (method.list !== undefined)
          calls.push(`${call}.collect();`, `${call}.pages({});`, `${call}.onePage({}, { timeoutMs: 1 });`);
        const lines = calls.map((line) => text.push(line));
        const entry = method.availability[kind];
        pairs.push({ name: `${service}/${method.name}`, kind, reason: entry.served ? undefined : entry.reason, lines });
      }
    }
  }
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'calls.ts'), text.join('\n'));
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      extends: '../../../../tsconfig.base.json',
      compilerOptions: { composite: false, noEmit: true },
      files: ['calls.ts'],
    }),
  );
  return pairs;
}

/** `NodeQuery` of `hub.node.v3.QueryService`. */
function objectOf(service: string): string {
  const [own = '', version = '', word = ''] = service.split('.').reverse();
  const subject = (version.startsWith('v') ? word : version).replace(/(?:^|_)(.)/g, (_, letter: string) =>
    letter.toUpperCase(),
  );
  return own.includes(subject) ? own : subject + own.replace(/(?<=.)Service$/, '');
}

function packageOf(service: string): string {
  return service.split('.').slice(0, -1).join('/');
}

describe('service objects over each transport', () => {
  let pairs: Pair[];
  /** Compiler errors by line. */
  let errors: ReadonlyMap<number, string>;

  beforeAll(() => {
    const folder = join(import.meta.dirname, '../.nx/service-pairs');
    pairs = writeCalls(folder);
    const tsc = join(import.meta.dirname, '../../../node_modules/@typescript/native/bin/tsc');
    const run = spawnSync(process.execPath, [tsc, '-p', folder, '--pretty', 'false'], { encoding: 'utf8' });
    const found = (run.stdout + run.stderr).matchAll(/calls\.ts\((\d+),\d+\): error .*/g);
    errors = new Map([...found].map(([text, line]) => [Number(line), text]));
  });

  test('services: all methods of all services, each over three transports', () => {
    expect(allServices).toHaveLength(41);
    expect(pairs).toHaveLength(236 * 3);
    expect(pairs.filter(({ reason }) => reason !== undefined)).toHaveLength(55);
  });

  test('services: every call of an unserved pair fails to compile, and the first line states the reason and the alternative', () => {
    const wrong = pairs.flatMap(({ name, kind, reason, lines }) =>
      reason === undefined || lines.every((line) => errors.get(line)?.includes(reason)) ? [] : [`${name} ${kind}`],
    );
    expect(wrong).toEqual([]);
  });

  test('services: every call of a served pair compiles', () => {
    const refused = new Set(pairs.flatMap(({ reason, lines }) => (reason === undefined ? [] : lines)));
    expect([...errors].filter(([line]) => !refused.has(line))).toEqual([]);
  });
});

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { workspace } from '@hubwatch/bench/consumers';
import type { Devnode } from '@hubwatch/devnode';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { startCases } from './cli-starts.js';

const schema = JSON.parse(readFileSync(join(workspace, 'packages/daemon/schema/config.json'), 'utf8')) as object;
const validate = new Ajv2020({ strict: true, allowUnionTypes: true, validateFormats: false, allErrors: true }).compile(
  schema,
);

const folder = mkdtempSync(join(tmpdir(), 'hubwatch-schema-'));
afterAll(() => rmSync(folder, { recursive: true }));
const node = {
  grpc: '127.0.0.1:1',
  rest: 'http://127.0.0.1:2',
  rpc: 'http://127.0.0.1:3',
  chainId: 'hub-2',
} as Devnode;
const configs = startCases(folder, node).map(({ name, file }) => {
  return { name, value: parse(readFileSync(file, 'utf8')) as Block };
});

type Block = Record<string, unknown>;

/** Every mapping in a configuration, with its path. */
function* blocksOf(value: unknown, path: string): Iterable<{ readonly path: string; readonly block: Block }> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield { path, block: value as Block };
  for (const [key, below] of Object.entries(value)) yield* blocksOf(below, `${path}/${key}`);
}

test.each(configs)('schema/config.json: accepts $name', ({ value }) => {
  validate(value);
  expect(validate.errors ?? []).toEqual([]);
});

test('schema/config.json: rejects an unknown key in every block, and a duration without its unit', () => {
  const accepted: string[] = [];
  let blocks = 0;
  for (const { value } of configs) {
    for (const { path, block } of blocksOf(value, '')) {
      // Their keys are names chosen by the operator.
      if (/\/(?:rules|labels|minimum)$/.test(path)) continue;
      blocks += 1;
      block['colour'] = 'red';
      if (validate(value)) accepted.push(path);
      delete block['colour'];
    }
  }
  expect(accepted).toEqual([]);
  expect(blocks).toBeGreaterThan(60);
  expect(validate({ endpoints: [{ name: 'own', rpc: 'http://127.0.0.1:1' }], poll: { nodes: '30' } })).toBe(false);
  expect(validate({ endpoints: [{ name: 'own', rpc: 'http://127.0.0.1:1' }], poll: { nodes: '30s' } })).toBe(true);
});

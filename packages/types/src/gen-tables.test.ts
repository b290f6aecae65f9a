import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import { describe, expect, test } from 'vitest';

import { allMethods } from './gen/methods/all.js';
import { messageByName, messageNames } from './gen/registry.js';
import type { Field, MessageTable } from './runtime/table.js';

function table(name: string): MessageTable {
  const found = messageByName(name);
  if (!found) throw new Error(`${name} is not in the registry`);
  return found;
}

describe('generated tables', () => {
  test('registry: every message once, under its own name', () => {
    expect(new Set(messageNames).size).toBe(messageNames.length);
    expect(messageNames.length).toBeGreaterThan(1000);
    for (const name of messageNames) expect(table(name).name).toBe(name);
    expect(messageByName('hub.node.v3.Nope')).toBeUndefined();
  });

  test('tables: numbers, names and members are unique, and every reference leads to a table', () => {
    const faults: string[] = [];
    const unique = (message: MessageTable, key: (field: Field) => unknown): void => {
      if (new Set(message.fields.map(key)).size !== message.fields.length) faults.push(message.name);
    };
    for (const message of messageNames.map(table)) {
      unique(message, ({ no }) => no);
      unique(message, ({ name }) => name);
      unique(message, ({ prop }) => prop);
      for (const field of message.fields) {
        if (field.kind === 'message' && messageByName(field.message?.().name ?? '') !== field.message?.()) {
          faults.push(`${message.name}.${field.name}`);
        }
        if (field.kind === 'enum' && Object.keys(field.enum?.().values ?? {}).length === 0) {
          faults.push(`${message.name}.${field.name}`);
        }
        for (const [name, implementation] of Object.entries(field.any?.() ?? {})) {
          if (implementation().name !== name) faults.push(`${message.name}.${field.name}: ${name}`);
        }
      }
    }
    expect(faults).toEqual([]);
  });

  test('methods: 236, and every unserved pair has its reason', () => {
    expect(allMethods).toHaveLength(236);
    expect(new Set(allMethods.map(({ service, name }) => `${service}/${name}`)).size).toBe(236);
  });
});

interface WireType {
  encode(message: unknown): { finish(): Uint8Array };
  decode(bytes: Uint8Array): unknown;
}

interface Row {
  readonly group: string;
  readonly transport: string;
  readonly neutral_method: string;
  readonly got: { readonly code: number; readonly body: string | null; readonly compressed?: boolean };
}

const messagesFolder = join(import.meta.dirname, 'gen/messages');
const recordings = join(import.meta.dirname, '../../../tools/devnode/recordings');

/** Wire types by full name; a file's package is its folder. */
async function wireTypes(): Promise<Map<string, WireType>> {
  const types = new Map<string, WireType>();
  const entries = readdirSync(messagesFolder, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((item) => item.isFile())) {
    const path = join(entry.parentPath, entry.name);
    const packageName = entry.parentPath.slice(messagesFolder.length + 1).replaceAll('/', '.');
    const exported = (await import(path)) as Record<string, unknown>;
    for (const [name, value] of Object.entries(exported)) types.set(`${packageName}.${name}`, value as WireType);
  }
  return types;
}

test('messages: every recorded gRPC answer decodes and encodes to the same bytes', async () => {
  const types = await wireTypes();
  const responses = new Map(allMethods.map((method) => [`${method.service}/${method.name}`, method.response.name]));
  const text = gunzipSync(readFileSync(join(recordings, 'reads.jsonl.gz'))).toString('utf8');
  const faults: string[] = [];
  let count = 0;
  for (const line of text.split('\n')) {
    if (!line.includes('"transport":"grpc"') && !line.includes('"transport": "grpc"')) continue;
    const { group, got, neutral_method: method } = JSON.parse(line) as Row;
    const type = types.get(responses.get(method) ?? '');
    if (got.code !== 0 || typeof got.body !== 'string' || got.compressed || !type) continue;
    count++;
    const bytes = Buffer.from(got.body, 'base64');
    if (!bytes.equals(type.encode(type.decode(bytes)).finish())) faults.push(group);
  }
  expect(faults).toEqual([]);
  expect(count).toBeGreaterThan(2700);
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { gunzipSync } from 'node:zlib';
import { publicNaming } from '@hubwatch/client';
import { allMethods } from '@hubwatch/types/gen/methods/all';
import type { Naming } from '@hubwatch/types/runtime/naming';
import type { MessageTable } from '@hubwatch/types/runtime/table';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { firstDifference } from './first-difference.js';
import { loadStockCodecs, oracleFolder } from './stock-decoder.js';

const root = join(import.meta.dirname, '../../..');
const reader = 'packages/types/src/runtime/binary-reader.ts';

type Decode = (table: MessageTable, bytes: Uint8Array, naming: Naming) => object;

/** Our decoder, built from its sources with one text in its reader replaced. */
async function decoderWith(sound: string, planted: string): Promise<Decode> {
  const folder = await mkdtemp(join(tmpdir(), 'hubwatch-oracle-'));
  try {
    const outfile = join(folder, 'decoder.mjs');
    await build({
      entryPoints: [join(root, 'packages/types/src/runtime/decode-binary.ts')],
      bundle: true,
      format: 'esm',
      platform: 'node',
      outfile,
      logLevel: 'silent',
      plugins: [
        {
          name: 'planted-fault',
          setup(builder) {
            builder.onLoad({ filter: /[\\/]binary-reader\.ts$/ }, ({ path }) => {
              const text = readFileSync(path, 'utf8');
              if (text.split(sound).length !== 2) throw new Error(`"${sound}" is not once in ${reader}`);
              return { contents: text.replace(sound, planted), loader: 'ts' };
            });
          },
        },
      ],
    });
    const { decodeBinary } = (await import(pathToFileURL(outfile).href)) as { readonly decodeBinary: Decode };
    return decodeBinary;
  } finally {
    await rm(folder, { recursive: true });
  }
}

interface Row {
  readonly transport: string;
  readonly neutral_method: string;
  readonly got: { readonly code: number; readonly body: string | null; readonly compressed?: boolean };
}

/** Recorded gRPC responses with the tables that decode them. */
function* recorded(): Generator<{ readonly table: MessageTable; readonly bytes: Uint8Array }> {
  const tables = new Map(allMethods.map(({ service, name, response }) => [`${service}/${name}`, response]));
  const file = join(root, 'tools/devnode/recordings/reads.jsonl.gz');
  for (const line of gunzipSync(readFileSync(file)).toString('utf8').split('\n')) {
    if (!/"transport": ?"grpc"/.test(line)) continue;
    const { got, neutral_method: method } = JSON.parse(line) as Row;
    const table = tables.get(method);
    if (got.code !== 0 || typeof got.body !== 'string' || got.compressed || table === undefined) continue;
    yield { table, bytes: Uint8Array.from(Buffer.from(got.body, 'base64')) };
  }
}

/** Number of recorded responses that a decoder reads differently from the oracle, or cannot read. */
async function differences(decode: Decode): Promise<number> {
  const { decode: oracle } = await loadStockCodecs();
  let count = 0;
  for (const { table, bytes } of recorded()) {
    const expected = oracle(table, bytes);
    if (expected === undefined) continue;
    try {
      if (firstDifference(expected, decode(table, bytes, publicNaming) as never) !== undefined) count += 1;
    } catch {
      // A response that the planted fault makes unreadable is detected too.
      count += 1;
    }
  }
  return count;
}

test('oracle: reads with the stock runtime alone, without our code', () => {
  const imported = new Set<string>();
  for (const entry of readdirSync(oracleFolder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const text = readFileSync(join(entry.parentPath, entry.name), 'utf8');
    for (const [, path = ''] of text.matchAll(/(?:from|import) ["']([^"']+)["']/g))
      imported.add(path.startsWith('.') ? join(entry.parentPath, path).slice(0, oracleFolder.length) : path);
  }
  expect([...imported].toSorted()).toEqual([oracleFolder, '@bufbuild/protobuf/wire'].toSorted());
});

test('oracle: every recorded gRPC response decodes and encodes to the same bytes', async () => {
  const { rewrite } = await loadStockCodecs();
  const changed: string[] = [];
  let count = 0;
  for (const { table, bytes } of recorded()) {
    count += 1;
    if (Buffer.compare(rewrite(table, bytes) ?? new Uint8Array(), bytes) !== 0) changed.push(table.name);
  }
  expect(changed).toEqual([]);
  expect(count).toBeGreaterThan(2_700);
});

test('oracle: our correct reader agrees with it', async () => {
  const same = 'if (shift < 28) low |= part << shift;';
  expect(await differences(await decoderWith(same, same))).toBe(0);
});

test.each([
  ['drops the eighth bit of long varints', 'const part = byte & 0x7f;', 'const part = byte & 0x3f;'],
  ['shifts the high half by a bit', 'part * 2 ** (shift - 28)', 'part * 2 ** (shift - 27)'],
  [
    'takes UTF-8 for Latin-1',
    'if (byte > 127) return utf8.decode(this.bytes.subarray(start, end));',
    'if (byte > 255) return utf8.decode(this.bytes.subarray(start, end));',
  ],
])('oracle: detects a reader that %s', async (_fault, sound, planted) => {
  expect(await differences(await decoderWith(sound, planted))).toBeGreaterThan(0);
});

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import {
  CodeGeneratorRequestSchema,
  CodeGeneratorResponseSchema,
  FileDescriptorSetSchema,
} from '@bufbuild/protobuf/wkt';
import type { Node } from '@hubwatch/types/gen/forms/hub/node/v3/node';
import { QueryNodesResponse } from '@hubwatch/types/gen/forms/hub/node/v3/querier';
import { fromJsonFast } from '@hubwatch/types/runtime/compile-json-decoder';
import { fromJsonText } from '@hubwatch/types/runtime/decode';
import { fromJson, toGatewayJson } from '@hubwatch/types/runtime/json';
import type { Benchmark } from './benchmark.js';
import { loadBundle } from './load-bundle.js';
import { recordedNodes, withSixPrices } from './recorded-nodes.js';
import { sideBySide } from './side-by-side.js';

interface Stock {
  readonly QueryNodesResponse: { fromJSON(json: unknown): { readonly nodes: readonly unknown[] } };
}

/** Decoding parsed gateway JSON of 1000 nodes to objects, compared with ts-proto with JSON methods and exact 64-bit numbers. */
export const restDecode: Benchmark = {
  name: 'rest-decode',
  about: "REST answer of 1000 recorded nodes into the decoded form, beside ts-proto's fromJSON with bigint",
  async run({ runs = 31, log }) {
    const stock = await stockWithJson();
    const measure = (nodes: readonly Node[]): Times => {
      const text = toGatewayJson(QueryNodesResponse, { nodes, pagination: undefined });
      const json: unknown = JSON.parse(text);
      // The gateway prints short enum names, which ts-proto rejects: it gets the full names.
      const fullText = text.replace(/(?<="status":")\w+/g, (status) => `STATUS_${status.toUpperCase()}`);
      const full: unknown = JSON.parse(fullText);
      if (!isDeepStrictEqual(fromJsonFast(QueryNodesResponse, json).nodes, nodes)) throw new Error('ours differs');
      if (stock.QueryNodesResponse.fromJSON(full).nodes.length !== nodes.length) throw new Error('stock differs');
      return sideBySide(
        {
          ours: () => fromJsonFast(QueryNodesResponse, json),
          walk: () => fromJson(QueryNodesResponse, json),
          stock: () => stock.QueryNodesResponse.fromJSON(full),
          oursOfText: () => fromJsonText(QueryNodesResponse, text),
          stockOfText: () => stock.QueryNodesResponse.fromJSON(JSON.parse(fullText)),
        },
        runs,
        10,
      );
    };
    const plain = measure(recordedNodes());
    log(`  recorded nodes: ${format(plain)}`);
    const priced = measure(withSixPrices(recordedNodes()));
    log(`  six prices each: ${format(priced)}`);
    const [figure, six] = [plain.ours / plain.stock, priced.ours / priced.stock];
    return {
      figure: Math.max(figure, six),
      target: 0.45,
      unit: '× ts-proto',
      figures: {
        'recorded nodes': `${figure.toFixed(2)} × ts-proto`,
        'six prices each': `${six.toFixed(2)} × ts-proto`,
        'with the text parsed on both sides': `${(plain.oursOfText / plain.stockOfText).toFixed(2)} and ${(priced.oursOfText / priced.stockOfText).toFixed(2)} × ts-proto`,
        'browser table walk': `${(plain.walk / plain.stock).toFixed(2)} and ${(priced.walk / priced.stock).toFixed(2)} × ts-proto`,
      },
    };
  },
};

type Times = Readonly<Record<'ours' | 'walk' | 'stock' | 'oursOfText' | 'stockOfText', number>>;

function format({ ours, walk, stock }: Times): string {
  return `ours ${ours.toFixed(2)} ms, table walk ${walk.toFixed(2)}, ts-proto ${stock.toFixed(2)}`;
}

async function stockWithJson(): Promise<Stock> {
  const recorded = new URL('../../devnode/recordings/descriptors.binpb.gz', import.meta.url);
  const { file } = fromBinary(FileDescriptorSetSchema, gunzipSync(readFileSync(recorded)));
  const request = create(CodeGeneratorRequestSchema, {
    fileToGenerate: file.map(({ name }) => name),
    parameter:
      'outputServices=none,forceLong=bigint,oneof=unions-value,useDate=false,esModuleInterop=true,importSuffix=.js',
    protoFile: file,
  });
  const script = createRequire(import.meta.url).resolve('ts-proto/protoc-gen-ts_proto');
  const { stdout, stderr, status } = spawnSync(process.execPath, [script], {
    input: toBinary(CodeGeneratorRequestSchema, request),
    maxBuffer: 256 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(`ts-proto ended with ${String(status)}: ${stderr.toString()}`);
  const answer = fromBinary(CodeGeneratorResponseSchema, stdout);
  const folder = await mkdtemp(join(tmpdir(), 'hubwatch-bench-'));
  try {
    for (const { name, content } of answer.file) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), content);
    }
    const querier = answer.file.find(({ name }) => name.endsWith('/node/v3/querier.ts'));
    if (querier === undefined) throw new Error(`ts-proto made no querier: ${answer.error}`);
    const path = join(folder, querier.name);
    return await loadBundle<Stock>(`export { QueryNodesResponse } from ${JSON.stringify(path)};`, folder, [
      {
        name: 'peer-packages',
        setup(builder) {
          builder.onResolve({ filter: /^@bufbuild\/protobuf/ }, ({ path: wanted }) => ({
            path: fileURLToPath(import.meta.resolve(wanted)),
          }));
        },
      },
    ]);
  } finally {
    await rm(folder, { recursive: true });
  }
}

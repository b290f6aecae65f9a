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
import { QueryNodesResponse } from '@hubwatch/types/gen/forms/hub/node/v3/querier';
import { fromJson, toGatewayJson } from '@hubwatch/types/runtime/json';
import type { Benchmark } from './benchmark.js';
import { loadBundle } from './load-bundle.js';
import { recordedNodes } from './recorded-nodes.js';
import { sideBySide } from './side-by-side.js';

interface Stock {
  readonly QueryNodesResponse: { fromJSON(json: unknown): { readonly nodes: readonly unknown[] } };
}

/** Parsed gateway JSON of 1000 nodes into objects, beside ts-proto with its JSON methods on and 64-bit numbers exact. */
export const restDecode: Benchmark = {
  name: 'rest-decode',
  about: "REST answer of 1000 recorded nodes into the decoded form, beside ts-proto's fromJSON with bigint",
  async run({ runs = 31, log }) {
    const stock = await stockWithJson();
    const nodes = recordedNodes();
    const json: unknown = JSON.parse(toGatewayJson(QueryNodesResponse, { nodes, pagination: undefined }));
    // Enums of the gateway are short texts, which ts-proto refuses: it gets the full name.
    const full: unknown = JSON.parse(
      JSON.stringify(json)
        .replaceAll('"status":"', '"status":"STATUS_')
        .replace(/"STATUS_\w+"/g, (text) => text.toUpperCase()),
    );
    if (!isDeepStrictEqual(fromJson(QueryNodesResponse, json).nodes, nodes)) throw new Error('ours differs');
    if (stock.QueryNodesResponse.fromJSON(full).nodes.length !== nodes.length) throw new Error('stock differs');
    const times = sideBySide(
      { ours: () => fromJson(QueryNodesResponse, json), stock: () => stock.QueryNodesResponse.fromJSON(full) },
      runs,
      10,
    );
    log(`  ours ${times.ours.toFixed(2)} ms, ts-proto ${times.stock.toFixed(2)} ms`);
    return { figure: times.ours / times.stock, target: 0.8, unit: '× ts-proto' };
  },
};

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

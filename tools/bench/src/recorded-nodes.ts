import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { QueryNodesResponse } from '@hubwatch/types/gen/forms/hub/node/v3/querier';
import type { Node } from '@hubwatch/types/gen/forms/hub/node/v3/node';
import { decodeBinary } from '@hubwatch/types/runtime/binary';

const folder = fileURLToPath(new URL('../../devnode/recordings/', import.meta.url));

interface Row {
  readonly transport: string;
  readonly neutral_method: string;
  readonly got: { readonly body?: string | null; readonly code?: number };
}

/** A list of 1000 nodes: the nodes in the recorded responses, repeated as needed. */
export function recordedNodes(): readonly Node[] {
  const found = new Map<string, Node>();
  for (const line of gunzipSync(readFileSync(`${folder}reads.jsonl.gz`))
    .toString()
    .split('\n')) {
    if (!line.includes('"hub.node.v3.QueryService/QueryNodes"') || !line.includes('"transport":"grpc"')) continue;
    const { got } = JSON.parse(line) as Row;
    if (got.code !== 0) continue;
    for (const node of decodeBinary(QueryNodesResponse, Buffer.from(got.body ?? '', 'base64')).nodes) {
      found.set(node.address, node);
    }
  }
  const nodes = [...found.values()];
  if (nodes.length === 0) throw new Error('the recordings hold no answer of QueryNodes');
  return Array.from({ length: 1000 }, (_, i) => nodes[i % nodes.length] as Node);
}

/** The same nodes with three prices of each kind, six in total; each node has different amounts. */
export function withSixPrices(nodes: readonly Node[]): readonly Node[] {
  const prices = (salt: number) =>
    ['udvpn', 'uatom', 'uosmo'].map((denom, i) => ({
      denom,
      baseValue: `0.00${1_234_567_890_123_456 + 7_919_000_003 * (salt + i)}`,
      quoteValue: `${4_820_000 + 7_919 * (salt + i)}`,
    }));
  return nodes.map((node, i) => ({ ...node, gigabytePrices: prices(i), hourlyPrices: prices(i + 500) }));
}

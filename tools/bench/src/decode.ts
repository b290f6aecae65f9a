import { isDeepStrictEqual } from 'node:util';
import type { Node } from '@hubwatch/types/gen/forms/hub/node/v3/node';
import { QueryNodesResponse } from '@hubwatch/types/gen/forms/hub/node/v3/querier';
import { decodeBinary, encodeBinary } from '@hubwatch/types/runtime/binary';
import { decodeBinaryFast } from '@hubwatch/types/runtime/compile-decoder';
import protobuf from 'protobufjs';
import type { Benchmark } from './benchmark.js';
import { loadBundle } from './load-bundle.js';
import { recordedNodes, withSixPrices } from './recorded-nodes.js';
import { sideBySide } from './side-by-side.js';

interface Stock {
  readonly QueryNodesResponse: { decode(bytes: Uint8Array): { readonly nodes: readonly unknown[] } };
}

const targets = { recorded: 0.5, sixPrices: 0.6 } as const;

/** Decoding responses with 1000 nodes from bytes to objects: our forms compared with default ts-proto codecs. */
export const decode: Benchmark = {
  name: 'decode',
  about: 'gRPC answer of 1000 recorded nodes into the decoded form, beside stock ts-proto; also with six prices each',
  async run({ runs = 31, log }) {
    const stock = await loadBundle<Stock>(
      "export { QueryNodesResponse } from '@hubwatch/oracle/hub/node/v3/querier';",
      import.meta.dirname,
    );
    const reflected = protobufjsType();
    const measure = (nodes: readonly Node[]): Record<'ours' | 'walk' | 'stock' | 'pbjs', number> => {
      const bytes = Buffer.from(encodeBinary(QueryNodesResponse, { nodes }));
      if (!isDeepStrictEqual(decodeBinaryFast(QueryNodesResponse, bytes).nodes, nodes)) throw new Error('ours differs');
      if (stock.QueryNodesResponse.decode(bytes).nodes.length !== nodes.length) throw new Error('stock differs');
      return sideBySide(
        {
          ours: () => decodeBinaryFast(QueryNodesResponse, bytes),
          walk: () => decodeBinary(QueryNodesResponse, bytes),
          stock: () => stock.QueryNodesResponse.decode(bytes),
          pbjs: () => reflected.decode(bytes),
        },
        runs,
        10,
      );
    };
    const plain = measure(recordedNodes());
    log(`  recorded nodes: ${format(plain)}`);
    const priced = measure(withSixPrices(recordedNodes()));
    log(`  six prices each: ${format(priced)}`);
    const figure = plain.ours / plain.stock;
    const six = priced.ours / priced.stock;
    return {
      // The six prices have a separate target; the outcome is the worse ratio to its target.
      figure: Math.max(figure, (six * targets.recorded) / targets.sixPrices),
      target: targets.recorded,
      unit: '× ts-proto',
      figures: {
        'recorded nodes': `${figure.toFixed(2)} × ts-proto (target ${targets.recorded})`,
        'six prices each': `${six.toFixed(2)} × ts-proto (target ${targets.sixPrices})`,
        'browser table walk': `${(plain.walk / plain.stock).toFixed(2)} and ${(priced.walk / priced.stock).toFixed(2)} × ts-proto`,
        'protobufjs, which leaves amounts and times as they are': `${(plain.pbjs / plain.stock).toFixed(2)} and ${(priced.pbjs / priced.stock).toFixed(2)} × ts-proto`,
      },
    };
  },
};

function format(times: Readonly<Record<'ours' | 'walk' | 'stock' | 'pbjs', number>>): string {
  const { ours, walk, stock, pbjs } = times;
  return `ours ${ours.toFixed(2)} ms, table walk ${walk.toFixed(2)}, ts-proto ${stock.toFixed(2)}, protobufjs ${pbjs.toFixed(2)}`;
}

function protobufjsType(): protobuf.Type {
  const { root } = protobuf.parse(
    `syntax = "proto3";
     message Timestamp { int64 seconds = 1; int32 nanos = 2; }
     message Price { string denom = 1; string base_value = 2; string quote_value = 3; }
     message Node {
       string address = 1; repeated Price gigabyte_prices = 2; repeated Price hourly_prices = 3;
       repeated string remote_addrs = 4; Timestamp inactive_at = 5; int32 status = 6; Timestamp status_at = 7;
     }
     message Answer { repeated Node nodes = 1; }`,
  );
  return root.lookupType('Answer');
}

import type { Benchmark } from './benchmark.js';
import { bundleSize, stockWire } from './bundle.js';

const method = "import { queryNode } from '@hubwatch/types/gen/methods/hub/node/v3/query-service';";
const naming = "import { identityNaming as naming } from '@hubwatch/types/runtime/naming-profile';";

/** What an app ships for one query whose names are burnt in. */
export const bundleQuery: Benchmark = {
  name: 'bundle-query',
  about:
    'browser bundle of one query, gzip, public names, beside the codecs alone of ts-proto, protobufjs, protobuf-es',
  async run() {
    const rest = await bundleSize(`
      import { createRestTransport } from '@hubwatch/client/rest'; ${method} ${naming}
      export const node = (url, address) => createRestTransport({ address: url, naming }).call(queryNode, { address });`);
    const abci = await bundleSize(`
      import { createAbciTransport } from '@hubwatch/client/abci'; ${method} ${naming}
      export const node = (url, address) => createAbciTransport({ address: url, naming }).call(queryNode, { address });`);
    const both = await bundleSize(`
      import { createRestTransport } from '@hubwatch/client/rest';
      import { createAbciTransport } from '@hubwatch/client/abci'; ${method} ${naming}
      const options = (address) => ({ address, naming });
      export const node = (kind, url, address) =>
        (kind ? createRestTransport(options(url)) : createAbciTransport(options(url))).call(queryNode, { address });`);
    const stock = await bundleSize(
      "export { QueryNodeRequest, QueryNodeResponse } from '@hubwatch/types/gen/messages/hub/node/v3/querier';",
      [stockWire],
    );
    const pbjs = await bundleSize("export { Reader, Writer } from 'protobufjs/minimal.js';", []);
    const es = await bundleSize("export { fromBinary, toBinary, fromJson } from '@bufbuild/protobuf';", []);
    return {
      // The worst of the three, each against its own target.
      figure: Math.max(rest, abci, (both * 2.2) / 3.2) / 1000,
      target: 2.2,
      unit: 'kB',
      figures: {
        'method and tables alone': kB(await bundleSize(`${method} export { queryNode };`)),
        REST: `${kB(rest)} (target 2.20)`,
        abci: `${kB(abci)} (target 2.20)`,
        'REST and abci': `${kB(both)} (target 3.20)`,
        'ts-proto, codecs of the two messages alone': kB(stock),
        'protobufjs, minimal runtime alone': kB(pbjs),
        'protobuf-es, runtime alone': kB(es),
      },
    };
  },
};

export function kB(bytes: number): string {
  return `${(bytes / 1000).toFixed(2)} kB`;
}

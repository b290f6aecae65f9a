import type { Benchmark } from './benchmark.js';
import { bundleSize, publicModule, stockWire } from './bundle.js';

const service = 'methods/hub/node/v3/query-service';
const [rest, abci] = [
  "import { rest } from '@hubwatch/client/small/rest';",
  "import { abci } from '@hubwatch/client/small/abci';",
];

/** What an app ships for one query whose names are burnt in. */
export const bundleQuery: Benchmark = {
  name: 'bundle-query',
  about:
    'browser bundle of one query, gzip, public names, beside the codecs alone of ts-proto, protobufjs, protobuf-es',
  async run() {
    const method = `import { queryNode } from '${await publicModule(`small/${service}`)}';`;
    const overRest = await bundleSize(`${rest} ${method}
      export const node = (url, address) => rest(url)(queryNode, { address });`);
    const overAbci = await bundleSize(`${abci} ${method}
      export const node = (url, address) => abci(url)(queryNode, { address });`);
    const both = await bundleSize(`${rest} ${abci} ${method}
      export const node = (kind, url, address) => (kind ? rest : abci)(url)(queryNode, { address });`);
    const full = `import { createRestTransport } from '@hubwatch/client/rest';
      import { identityNaming as naming } from '@hubwatch/types/runtime/naming-profile';
      import { queryNode } from '${await publicModule(service)}';
      export const node = (address, request) => createRestTransport({ address, naming }).call(queryNode, request);`;
    const stock = await bundleSize(
      "export { QueryNodeRequest, QueryNodeResponse } from '@hubwatch/types/gen/messages/hub/node/v3/querier';",
      [stockWire],
    );
    return {
      // The worst of the three, each against its own target.
      figure: Math.max(overRest, overAbci, (both * 2.2) / 3.2) / 1000,
      target: 2.2,
      unit: 'kB',
      figures: {
        'method and tables alone': kB(await bundleSize(`${method} export { queryNode };`)),
        REST: `${kB(overRest)} (target 2.200)`,
        abci: `${kB(overAbci)} (target 2.200)`,
        'REST and abci': `${kB(both)} (target 3.200)`,
        'REST, of the full client': kB(await bundleSize(full)),
        'REST, of the full client, through createClient': kB(await bundleSize(await serviceQuery())),
        'ts-proto, codecs of the two messages alone': kB(stock),
        'protobufjs, minimal runtime alone': kB(
          await bundleSize("export { Reader, Writer } from 'protobufjs/minimal.js';"),
        ),
        'protobuf-es, runtime alone': kB(
          await bundleSize("export { fromBinary, toBinary, fromJson } from '@bufbuild/protobuf';"),
        ),
      },
    };
  },
};

/** The same query of a client, which has all calls of its service and reads whole lists. */
export async function serviceQuery(): Promise<string> {
  return `import { createRestTransport } from '@hubwatch/client/rest';
    import { createClient } from '@hubwatch/client/create-client';
    import { identityNaming as naming } from '@hubwatch/types/runtime/naming-profile';
    import { NodeQuery } from '${await publicModule('services/hub/node/v3/query-service')}';
    export const node = (address, request) =>
      createClient(NodeQuery, createRestTransport({ address, naming })).queryNode(request);`;
}

export function kB(bytes: number): string {
  return `${(bytes / 1000).toFixed(3)} kB`;
}

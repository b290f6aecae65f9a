import type { Benchmark } from './benchmark.js';
import { bundleSize, kB, publicModule } from './bundle.js';

/** Bundle size of an app with one query over REST and the names of the public network. */
export const bundleRest: Benchmark = {
  name: 'bundle-rest',
  about:
    'browser bundle of one query over REST, gzip, public names, beside codecs alone of ts-proto, protobufjs, protobuf-es',
  async run() {
    const stock = await bundleSize(
      "export { QueryNodeRequest, QueryNodeResponse } from '@hubwatch/oracle/hub/node/v3/querier';",
    );
    return {
      figure: (await bundleSize(await oneRestQuery())) / 1000,
      target: 9,
      unit: 'kB',
      figures: {
        'method and tables alone': kB(await bundleSize(`${await method()} export { queryNode };`)),
        'through createClient': kB(await bundleSize(await serviceQuery())),
        'the same over abci_query': kB(await bundleSize(await oneAbciQuery())),
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

/** Code that makes one query over REST. */
export const oneRestQuery = (): Promise<string> => oneQuery('rest', 'createRestTransport');

const oneAbciQuery = (): Promise<string> => oneQuery('abci', 'createAbciTransport');

async function oneQuery(entry: string, create: string): Promise<string> {
  return `import { ${create} } from '@hubwatch/client/${entry}';
    import { identityNaming as naming } from '@hubwatch/types/runtime/naming-profile';
    ${await method()}
    export const node = (address, request) => ${create}({ address, naming }).call(queryNode, request);`;
}

/** The same query through a service client, which includes all calls of its service and reads whole lists. */
export async function serviceQuery(): Promise<string> {
  return `import { createRestTransport } from '@hubwatch/client/rest';
    import { createClient } from '@hubwatch/client/create-client';
    import { identityNaming as naming } from '@hubwatch/types/runtime/naming-profile';
    import { NodeQuery } from '${await publicModule('services/hub/node/v3/query-service')}';
    export const node = (address, request) =>
      createClient(NodeQuery, createRestTransport({ address, naming })).queryNode(request);`;
}

async function method(): Promise<string> {
  return `import { queryNode } from '${await publicModule('methods/hub/node/v3/query-service')}';`;
}

// The straightforward loop: ts-proto codecs on a grpc-js client, page by page with the next key.
import { Client, credentials } from '@grpc/grpc-js';
import { publicNaming } from '@hubwatch/client';
import { QueryLeasesRequest, QueryLeasesResponse } from '@hubwatch/oracle/hub/lease/v1/querier';
import { QueryNodesRequest, QueryNodesResponse } from '@hubwatch/oracle/hub/node/v3/querier';
import { Session } from '@hubwatch/oracle/hub/node/v3/session';
import { QuerySessionsRequest, QuerySessionsResponse } from '@hubwatch/oracle/hub/session/v3/querier';
import { measure } from './measure.js';

const pageSize = 250n;

interface Codec<T> {
  encode(message: T): { finish(): Uint8Array };
  decode(bytes: Uint8Array): T;
}
interface Paged {
  readonly pagination: { readonly nextKey: Uint8Array } | undefined;
}

async function* pagesOf<I, O extends Paged>(
  client: Client,
  path: string,
  request: Codec<I>,
  response: Codec<O>,
): AsyncGenerator<O> {
  let key: Uint8Array = new Uint8Array(0);
  do {
    const message = {
      status: 0,
      pagination: { key, offset: 0n, limit: pageSize, countTotal: false, reverse: false },
    } as I;
    const page = await new Promise<O>((resolve, reject) => {
      client.makeUnaryRequest(
        path,
        (value: I) => Buffer.from(request.encode(value).finish()),
        (bytes: Buffer) => response.decode(bytes),
        message,
        (error, answer) =>
          error === null && answer !== undefined ? resolve(answer) : reject(error ?? new Error('no answer')),
      );
    });
    yield page;
    key = page.pagination?.nextKey ?? new Uint8Array(0);
  } while (key.length > 0);
}

await measure(async (address) => {
  const client = new Client(address, credentials.createInsecure(), { 'grpc.max_receive_message_length': -1 });
  const path = (service: string, method: string): string => `/${publicNaming.typeToWire(service)}/${method}`;
  let [sessions, leases, nodes, bytes, ids] = [0, 0, 0, 0n, 0n];
  for await (const page of pagesOf(
    client,
    path('hub.session.v3.QueryService', 'QuerySessions'),
    QuerySessionsRequest,
    QuerySessionsResponse,
  )) {
    for (const { value } of page.sessions) {
      sessions++;
      bytes += BigInt(Session.decode(value).baseSession?.downloadBytes ?? '0');
    }
  }
  for await (const page of pagesOf(
    client,
    path('hub.lease.v1.QueryService', 'QueryLeases'),
    QueryLeasesRequest,
    QueryLeasesResponse,
  )) {
    leases += page.leases.length;
    for (const { id } of page.leases) ids += id;
  }
  for await (const page of pagesOf(
    client,
    path('hub.node.v3.QueryService', 'QueryNodes'),
    QueryNodesRequest,
    QueryNodesResponse,
  )) {
    nodes += page.nodes.length;
  }
  client.close();
  return { sessions, leases, nodes, bytes: String(bytes), ids: String(ids) };
});

import { queryParams } from '@hubwatch/types/gen/methods/hub/node/v3/query-service';
import type { AnyMethod, RequestOf, TransportKind } from '@hubwatch/types/runtime/method';
import { type Connection, connect, type ConnectOptions } from '../connect.js';
import type { ConnectionEvent } from '../connection-event.js';
import type { RpcCall } from '../rpc/batch.js';
import type { RpcClient } from '../rpc/client.js';
import type { RpcResult } from '../rpc/results.js';
import type { RpcMethod, RpcParams } from '../rpc/params.js';
import { sendingMethods } from '../rpc/sending-methods.js';
import type { CallOptions, Transport } from '../transport.js';
import { EndpointPool } from './pool.js';
import type { AttemptLimits, PoolMember, PoolOptions, ReadOptions } from './pool-options.js';

/** Addresses of one node, and its rate limit. */
export interface PoolEndpoint
  extends Omit<ConnectOptions, 'onEvent'>,
    Pick<PoolMember<unknown>, 'requestsPerSecond' | 'burst'> {
  /** Name in events; by default its first address. */
  readonly name?: string | undefined;
}

export type ConnectPoolOptions = Omit<PoolOptions<unknown>, 'probe' | 'strategy'>;

/**
 * All nodes of a pool behind the interface of one connection. A member exists if at least one endpoint has an address
 * for it. Reads fail over. `broadcast_tx_*` and the other sending methods use one endpoint, and another only if nothing
 * was sent.
 */
export interface PooledConnection {
  readonly grpc: Transport<'grpc'> | undefined;
  readonly rest: Transport<'rest'> | undefined;
  readonly abci: Transport<'abci'> | undefined;
  readonly rpc: RpcClient | undefined;
  /** Queries the heights of all endpoints now. */
  probe(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Connects to several nodes of one chain.
 *
 * @throws HubError `invalid_argument` when there is no endpoint, or one without an address
 */
export function connectPool(endpoints: readonly PoolEndpoint[], options: ConnectPoolOptions = {}): PooledConnection {
  const open = endpoints.map((endpoint) => {
    const name = endpoint.name ?? endpoint.grpc ?? endpoint.rest ?? endpoint.rpc ?? '';
    const onEvent = (event: ConnectionEvent): void => options.onEvent?.({ ...event, endpoint: name });
    return { endpoint, name, connection: connect<ConnectOptions>({ ...endpoint, onEvent }) };
  });
  const pools: Pick<EndpointPool<unknown>, 'probe' | 'close'>[] = [];
  const poolOf = <C>(
    client: (connection: Connection) => C | undefined,
    probe: (client: C, limits: AttemptLimits) => Promise<bigint | undefined>,
  ): EndpointPool<C> | undefined => {
    const members = open.flatMap(({ endpoint, name, connection }): PoolMember<C>[] => {
      const found = client(connection);
      if (found === undefined) return [];
      return [{ ...endpoint, name, client: found }];
    });
    if (members.length === 0 && open.length > 0) return undefined;
    const pool = new EndpointPool(members, { ...options, probe });
    pools.push(pool);
    return pool;
  };
  const queries = <K extends TransportKind>(kind: K): Transport<K> | undefined => {
    const pool = poolOf<Transport<K>>((connection) => connection[kind] as Transport<K> | undefined, probeByQuery);
    return pool && pooledTransport(kind, pool);
  };
  const rpc = poolOf<RpcClient>((connection) => connection.rpc, probeByStatus);
  return {
    grpc: queries('grpc'),
    rest: queries('rest'),
    abci: queries('abci'),
    rpc: rpc && pooledRpc(rpc),
    probe: async () => {
      await Promise.all(pools.map((pool) => pool.probe()));
    },
    close: async () => {
      await Promise.all(pools.map((pool) => pool.close()));
      await Promise.all(open.map(({ connection }) => connection.close()));
    },
  };
}

/** Queries a small response that every node has, for its height; a proxy or a browser may hide the height. */
async function probeByQuery(transport: Transport, limits: AttemptLimits): Promise<bigint | undefined> {
  return (await transport.call(queryParams, {}, limits)).height;
}

async function probeByStatus(client: RpcClient, limits: AttemptLimits): Promise<bigint> {
  return (await client.call('status', {}, limits)).syncInfo.latestBlockHeight;
}

function pooledTransport<K extends TransportKind>(kind: K, pool: EndpointPool<Transport<K>>): Transport<K> {
  return {
    kind,
    address: 'pool',
    call: <M extends AnyMethod>(method: M, request: RequestOf<M, K>, call: CallOptions = {}) => {
      const name = `${method.service}/${method.name}`;
      const ask = (transport: Transport<K>, limits: AttemptLimits) =>
        transport.call(method, request, { ...limits, height: call.height, headers: call.headers });
      if (name === broadcast) return pool.send(ask, { ...call, method: name });
      return pool.read(
        async (transport, limits) => {
          const answer = await ask(transport, limits);
          return { value: answer, height: answer.height };
        },
        { ...call, method: name },
      );
    },
    close: () => Promise.resolve(),
  };
}

/** The only query method that submits something. */
const broadcast = 'stack.tx.v1beta1.Service/BroadcastTx';

function pooledRpc(pool: EndpointPool<RpcClient>): RpcClient {
  return {
    kind: 'rpc',
    address: 'pool',
    call: <M extends RpcMethod>(
      method: M,
      params?: RpcParams<M>,
      options: Omit<CallOptions, 'height'> = {},
    ): Promise<RpcResult<M>> => {
      if (sendingMethods.has(method)) {
        return pool.send((client, limits) => client.call(method, params, { ...limits, headers: options.headers }), {
          ...options,
          method,
        });
      }
      const { height } = (params ?? {}) as { height?: bigint };
      const read: ReadOptions = { ...options, method, height };
      return pool.read(async (client, limits) => {
        const value = await client.call(method, params, { ...limits, headers: options.headers });
        return { value, height: newestOf(method, value) };
      }, read);
    },
    batch: <const C extends readonly RpcCall[]>(calls: C, options: Omit<CallOptions, 'height'> = {}) => {
      const method = 'batch';
      const ask = (client: RpcClient, limits: AttemptLimits) =>
        client.batch(calls, { ...limits, headers: options.headers });
      if (calls.some((call) => sendingMethods.has(call.method))) {
        return pool.send(ask, { ...options, method });
      }
      return pool.read(async (client, limits) => ({ value: await ask(client, limits), height: undefined }), {
        ...options,
        method,
      });
    },
    close: () => Promise.resolve(),
  };
}

/** Height of the latest block in a response; `undefined` if the response has none. */
function newestOf(method: RpcMethod, result: unknown): bigint | undefined {
  type Known = { [M in 'status' | 'abci_info' | 'block' | 'header' | 'block_results']: RpcResult<M> };
  const of = <M extends keyof Known>(name: M): Known[M] | undefined =>
    method === name ? (result as Known[M]) : undefined;
  return (
    of('status')?.syncInfo.latestBlockHeight ??
    of('abci_info')?.lastBlockHeight ??
    of('block')?.block?.header.height ??
    of('header')?.header?.height ??
    of('block_results')?.height
  );
}

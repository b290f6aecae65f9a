import type { Naming, NamingSource } from '@hubwatch/types/runtime/naming';
import { createAbciTransport } from './abci/transport.js';
import type { ConnectionEvent } from './connection-event.js';
import { HubError } from './error.js';
import { createGrpcTransport } from './grpc/lazy.js';
import { withLostTexts } from './grpc/lost-text.js';
import { HeightExplainer } from './height-explainer.js';
import { memoiseNaming } from './naming/resolve.js';
import type { TransportOptions } from './options.js';
import { rerouted } from './rest/reroute.js';
import { createRestTransport } from './rest/transport.js';
import type { RpcClient } from './rpc/client.js';
import { createRpcClient } from './rpc/transport.js';
import type { Transport } from './transport.js';

export interface ConnectOptions extends Omit<TransportOptions, 'address' | 'naming'> {
  /** `host:port`, or `https://host:port` for TLS. */
  readonly grpc?: string | undefined;
  /** Base URL of the REST gateway. */
  readonly rest?: string | undefined;
  /** Base URL of the consensus RPC; queries over `abci_query` go there too. */
  readonly rpc?: string | undefined;
  /**
   * Names that the node uses. Default `auto`: detected with the first call, within its timeout, and retried until
   * found. A search takes at most 5 s, and a failed search is not repeated for a second.
   */
  readonly naming?: Naming | 'auto' | undefined;
  /**
   * Whether to check the head of the node after a refusal of a future height. The error is then `stopped_for_upgrade`
   * if the chain waits for its upgrade, which the refusal itself does not show. Costs such a refusal two or three small
   * reads, at most 2 s, each within `maxBytes`. If the reads fail, the refusal stays unchanged. Default true.
   */
  readonly explainHeights?: boolean | undefined;
  /** Receives all notifications of a connection. It must not throw. */
  readonly onEvent?: ((event: ConnectionEvent) => void) | undefined;
}

type Given<O, K extends PropertyKey, T> = O extends { readonly [P in K]: string } ? T : T | undefined;

/** Transports of one node. A member exists if its address was given. No request is made before the first call. */
export interface Connection<O extends ConnectOptions = ConnectOptions> {
  readonly grpc: Given<O, 'grpc', Transport<'grpc'>>;
  readonly rest: Given<O, 'rest', Transport<'rest'>>;
  readonly abci: Given<O, 'rpc', Transport<'abci'>>;
  readonly rpc: Given<O, 'rpc', RpcClient>;
  /** The naming in use; with `auto` it is detected on first use. */
  readonly naming: NamingSource;
  close(): Promise<void>;
}

/**
 * Connects to one node over the given addresses of gRPC, REST and consensus RPC. A REST call whose request no route can
 * carry (a denom with a slash) is sent over gRPC or `abci_query` if available; `onEvent` reports it.
 *
 * @throws HubError `invalid_argument` when no address is given or one cannot be parsed
 */
export function connect<const O extends ConnectOptions>(options: O): Connection<O> {
  const { grpc, rest, rpc, naming = 'auto', explainHeights = true, onEvent, ...common } = options as ConnectOptions;
  if (grpc === undefined && rest === undefined && rpc === undefined) {
    throw new HubError({
      code: 'invalid_argument',
      message: 'connect: give at least one address of grpc, rest and rpc',
    });
  }
  let search: AbortController | undefined;
  const find = async (): Promise<Naming> => {
    search = new AbortController();
    const { signal } = search;
    // Loaded only for a naming that was not given: it contains the names of the public network.
    return (await import('./naming/detect.js')).detectNaming({ ...common, grpc, rest, rpc, signal });
  };
  const source = naming === 'auto' ? memoiseNaming(find) : () => Promise.resolve(naming);
  const at = (address: string): TransportOptions => ({ ...common, address, naming: source });
  const plain = {
    grpc: grpc === undefined ? undefined : createGrpcTransport(at(grpc)),
    rest: rest === undefined ? undefined : createRestTransport(at(rest)),
    abci: rpc === undefined ? undefined : createAbciTransport(at(rpc)),
    rpc: rpc === undefined ? undefined : createRpcClient(at(rpc)),
  };
  const ways = [plain.grpc, plain.rest, plain.abci].filter((transport) => transport !== undefined);
  const explainer = explainHeights ? new HeightExplainer(ways) : undefined;
  const others = [plain.grpc, plain.abci].filter((transport) => transport !== undefined);
  const whole = plain.rest && rerouted(plain.rest, others, common, (event) => onEvent?.(event));
  const unary =
    plain.grpc &&
    withLostTexts(
      plain.grpc,
      [plain.abci, plain.rest].filter((transport) => transport !== undefined),
      common,
    );
  const connection: Connection = {
    grpc: unary && (explainer?.ofQueries(unary) ?? unary),
    rest: whole && (explainer?.ofQueries(whole) ?? whole),
    abci: plain.abci && (explainer?.ofQueries(plain.abci) ?? plain.abci),
    rpc: plain.rpc && (explainer?.ofRpc(plain.rpc) ?? plain.rpc),
    naming: source,
    close: async () => {
      search?.abort();
      const open = Object.values(plain);
      await Promise.all(open.flatMap((transport) => (transport === undefined ? [] : [transport.close()])));
    },
  };
  return connection;
}

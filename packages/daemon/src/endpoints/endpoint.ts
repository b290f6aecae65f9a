import { type Clock, HubError, type RpcClient, type RpcResult, type Transport } from '@hubwatch/client';
import type { WebSocketClient } from '@hubwatch/client/websocket';
import type { RpcMethod, RpcParams } from '@hubwatch/client/rpc';
import type { AnyMethod, RequestOf, ResponseOf } from '@hubwatch/types/runtime/method';
import type { NamingSource } from '@hubwatch/types/runtime/naming';
import type { EndpointConfig } from '../config/schema.js';
import type { FailureLog } from '../log.js';
import type { OwnMetrics } from '../own-metrics.js';
import { jobOf } from '../schedule/job-signals.js';
import { type FailureReason, failureReason, failureText } from './failure.js';

/** Transports for state queries, best first. */
export const queryTransports = ['grpc', 'rest', 'abci'] as const;
export type QueryTransport = (typeof queryTransports)[number];

export interface RequestLimits {
  readonly height?: bigint | undefined;
  readonly signal: AbortSignal;
}

/** State at one height, or the latest state. */
export interface StateAnswer<T> {
  readonly message: T;
  readonly height: bigint | undefined;
}

/** A request for a method that every query transport serves. */
export type AnyRequest<M extends AnyMethod> = Partial<RequestOf<M, 'grpc'>>;

/** A configured address that the daemon queries; counts requests and transferred bytes. */
export interface Endpoint {
  readonly name: string;
  readonly role: EndpointConfig['role'];
  readonly has: { readonly [K in QueryTransport | 'rpc']: boolean };
  query<M extends AnyMethod>(
    transport: QueryTransport,
    method: M,
    request: AnyRequest<M>,
    limits: RequestLimits,
  ): Promise<StateAnswer<ResponseOf<M>>>;
  rpc<M extends RpcMethod>(method: M, params: RpcParams<M>, limits: RequestLimits): Promise<RpcResult<M>>;
  /** Opens a websocket; absent if the endpoint has none or it is disabled. */
  readonly openWebSocket?: ((signal: AbortSignal) => Promise<WebSocketClient>) | undefined;
  close(): Promise<void>;
}

/** The members of a client connection that are used; tests may provide others. */
export interface EndpointConnection {
  readonly grpc?: Transport<'grpc'> | undefined;
  readonly rest?: Transport<'rest'> | undefined;
  readonly abci?: Transport<'abci'> | undefined;
  readonly rpc?: Pick<RpcClient, 'call'> | undefined;
  readonly openWebSocket?: ((signal: AbortSignal) => Promise<WebSocketClient>) | undefined;
  /** Detected service names of the node. */
  readonly naming?: NamingSource | undefined;
  close(): Promise<void>;
}

/** Whether the failure concerns the path to the endpoint, as opposed to the refusal of one request. */
const isUnreachable = (reason: FailureReason): boolean =>
  reason === 'timeout' || reason === 'refused' || reason === 'tls';

export const createEndpoint = (
  config: Pick<EndpointConfig, 'name' | 'role'>,
  connection: EndpointConnection,
  timeoutMs: number,
  clock: Clock,
  own: OwnMetrics,
  failures: FailureLog,
): Endpoint => {
  const { name, role } = config;
  /** Method whose failure was reported, by transport. A different method that works does not end the failure. */
  const failing = new Map<string, string>();
  const counted = async <T>(
    transport: string,
    method: string,
    { signal }: RequestLimits,
    call: () => Promise<T>,
  ): Promise<T> => {
    const labels = { endpoint: name, transport };
    const started = clock.monotonicMs();
    own.requests.inc(labels);
    own.pollRequests.inc({ job: jobOf(signal) ?? 'other' });
    try {
      const answer = await call();
      if (failing.get(transport) === method) {
        failing.delete(transport);
        failures.worked(`endpoint ${name} ${transport}`);
      }
      return answer;
    } catch (error) {
      note(error, method, labels, signal);
      throw error;
    } finally {
      own.requestDuration.observe(labels, (clock.monotonicMs() - started) / 1_000);
    }
  };
  const note = (
    error: unknown,
    method: string,
    labels: { readonly endpoint: string; readonly transport: string },
    signal: AbortSignal,
  ): void => {
    const { code, retryable } = error instanceof HubError ? error : {};
    // Cancelled by this daemon: not a failure of the endpoint.
    if (code === 'cancelled' && signal.aborted) return;
    failures.request({ ...labels, method, failure: failureText(error), code, retryable });
    // A missing record is a normal response.
    if (code === 'not_found') return;
    const reason = failureReason(error);
    own.requestFailures.inc({ ...labels, reason });
    if (!isUnreachable(reason)) return;
    if (!failing.has(labels.transport)) failing.set(labels.transport, method);
    failures.failed(`endpoint ${name} ${labels.transport}`, `${reason}: ${failureText(error)}`, reason);
  };
  return {
    name,
    role,
    has: {
      grpc: connection.grpc !== undefined,
      rest: connection.rest !== undefined,
      abci: connection.abci !== undefined,
      rpc: connection.rpc !== undefined,
    },
    query(transport, method, request, limits) {
      // One call signature for all three transports: all of them serve the methods in use, and the transport checks it.
      const asked = connection[transport] as Transport<'grpc'> | undefined;
      if (asked === undefined) return Promise.reject(new Error(`endpoint ${name} has no ${transport} address`));
      return counted(transport, method.name, limits, () =>
        asked.call(method, request as never, { ...limits, timeoutMs }),
      );
    },
    rpc(method, params, limits) {
      const { rpc } = connection;
      if (rpc === undefined) return Promise.reject(new Error(`endpoint ${name} has no rpc address`));
      return counted('rpc', method, limits, () => rpc.call(method, params, { signal: limits.signal, timeoutMs }));
    },
    openWebSocket: connection.openWebSocket,
    close: () => connection.close(),
  };
};

import {
  type Connection,
  connect,
  type ConnectOptions,
  publicNaming,
  type RpcClient,
  sharedBudget,
  type Transport,
} from '@hubwatch/client';
import { openWebSocket } from '@hubwatch/client/websocket';
import type { TransportKind } from '@hubwatch/types/runtime/method';
import { identityNaming } from '@hubwatch/types/runtime/naming-profile';
import { credentialHeaders } from '../config/headers.js';
import type { EndpointConfig } from '../config/schema.js';
import { answerBytes, bytesOfQuery, bytesOfRpc } from './answer-bytes.js';
import type { EndpointConnection } from './endpoint.js';
import { endpointSecrets, guarded } from './endpoint-secrets.js';

const namings = { auto: 'auto', public: publicNaming, neutral: identityNaming } as const;

/**
 * Connects with a response size limit per method, unless the caller sets `maxBytes`. Requests of the client itself,
 * such as the detection of the naming, get the smallest limit.
 */
export const connectLimited = (options: Omit<ConnectOptions, 'maxBytes'>): Connection => {
  const connection = connect({ ...options, maxBytes: answerBytes.probe });
  return {
    ...connection,
    grpc: connection.grpc && limitedQueries(connection.grpc),
    rest: connection.rest && limitedQueries(connection.rest),
    abci: connection.abci && limitedQueries(connection.abci),
    rpc: connection.rpc && limitedRpc(connection.rpc),
  };
};

const limitedQueries = <K extends TransportKind>(transport: Transport<K>): Transport<K> => ({
  ...transport,
  call: (method, request, options) =>
    transport.call(method, request, { ...options, maxBytes: options?.maxBytes ?? bytesOfQuery(method) }),
});

const limitedRpc = (rpc: RpcClient): RpcClient => ({
  ...rpc,
  call: (method, params, options) =>
    rpc.call(method, params, { ...options, maxBytes: options?.maxBytes ?? bytesOfRpc(method) }),
});

/**
 * Opens the client's connection to a configured endpoint; nothing is sent before the first call.
 *
 * @throws Error that names the endpoint if its credentials cannot be read
 */
export const connectTo = (endpoint: EndpointConfig, timeoutMs: number): EndpointConnection => {
  const { grpc, rest, rpc, naming, websocket } = endpoint;
  const headers = endpointHeaders(endpoint);
  // The agreement check detects endpoints that wait for an upgrade, once for all endpoints.
  sharedBudget.maxBytes = answerBytes.together;
  const limits = { headers, timeoutMs };
  const connection = connectLimited({ grpc, rest, rpc, naming: namings[naming], ...limits, explainHeights: false });
  const secrets = endpointSecrets(endpoint, headers);
  const guard = <T extends { call: unknown } | undefined>(transport: T): T =>
    transport === undefined ? transport : { ...transport, call: guarded(transport.call as never, secrets) };
  const isHeard = rpc !== undefined && websocket;
  return {
    ...connection,
    grpc: guard(connection.grpc),
    rest: guard(connection.rest),
    abci: guard(connection.abci),
    rpc: guard(connection.rpc),
    openWebSocket: isHeard
      ? guarded(
          (signal: AbortSignal) =>
            openWebSocket({ address: rpc, naming: connection.naming, ...limits, maxBytes: answerBytes.small, signal }),
          secrets,
        )
      : undefined,
  };
};

/** Headers for every request to an endpoint. @throws Error that names the endpoint */
export const endpointHeaders = (endpoint: EndpointConfig): Readonly<Record<string, string>> => {
  try {
    return credentialHeaders(endpoint);
  } catch (error) {
    throw new Error(`credentials of endpoint ${endpoint.name}: ${(error as Error).message}`, { cause: error });
  }
};

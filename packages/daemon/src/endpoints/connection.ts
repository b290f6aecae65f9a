import { connect, publicNaming, sharedBudget } from '@hubwatch/client';
import { openWebSocket } from '@hubwatch/client/websocket';
import { identityNaming } from '@hubwatch/types/runtime/naming-profile';
import { credentialHeaders } from '../config/headers.js';
import type { EndpointConfig } from '../config/schema.js';
import { answerBytes } from './answer-bytes.js';
import type { EndpointConnection } from './endpoint.js';
import { endpointSecrets, guarded } from './endpoint-secrets.js';

const namings = { auto: 'auto', public: publicNaming, neutral: identityNaming } as const;

/**
 * The client's connection to an endpoint as configured; nothing is sent before the first call.
 *
 * @throws Error that names the endpoint when its credentials cannot be read
 */
export const connectTo = (endpoint: EndpointConfig, timeoutMs: number): EndpointConnection => {
  const { grpc, rest, rpc, naming, websocket } = endpoint;
  const headers = headersOf(endpoint);
  // Who waits for its upgrade is found by the check of agreement, once for all endpoints.
  sharedBudget.maxBytes = answerBytes.together;
  // Without a limit of its own is the search for the naming alone.
  const limits = { headers, timeoutMs, maxBytes: answerBytes.probe };
  const connection = connect({ grpc, rest, rpc, naming: namings[naming], ...limits, explainHeights: false });
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

/** Headers of every request to an endpoint. @throws Error that names the endpoint */
export const headersOf = (endpoint: EndpointConfig): Readonly<Record<string, string>> => {
  try {
    return credentialHeaders(endpoint);
  } catch (error) {
    throw new Error(`credentials of endpoint ${endpoint.name}: ${(error as Error).message}`, { cause: error });
  }
};

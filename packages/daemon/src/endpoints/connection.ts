import { connect, publicNaming } from '@hubwatch/client';
import { openWebSocket } from '@hubwatch/client/websocket';
import { identityNaming } from '@hubwatch/types/runtime/naming-profile';
import type { EndpointConfig } from '../config/schema.js';
import type { EndpointConnection } from './endpoint.js';

const namings = { auto: 'auto', public: publicNaming, neutral: identityNaming } as const;

/** The client's connection to an endpoint as configured; nothing is sent before the first call. */
export const connectTo = (
  { grpc, rest, rpc, naming, websocket }: EndpointConfig,
  timeoutMs: number,
): EndpointConnection => {
  // Who waits for its upgrade is found by the check of agreement, once for all endpoints.
  const connection = connect({ grpc, rest, rpc, naming: namings[naming], timeoutMs, explainHeights: false });
  const isHeard = rpc !== undefined && websocket;
  return {
    ...connection,
    openWebSocket: isHeard
      ? (signal) => openWebSocket({ address: rpc, naming: connection.naming, timeoutMs, signal })
      : undefined,
  };
};

import { connect, publicNaming } from '@hubwatch/client';
import { identityNaming } from '@hubwatch/types/runtime/naming-profile';
import type { EndpointConfig } from '../config/schema.js';
import type { EndpointConnection } from './endpoint.js';

const namings = { auto: 'auto', public: publicNaming, neutral: identityNaming } as const;

/** The client's connection to an endpoint as configured; nothing is sent before the first call. */
export const connectTo = ({ grpc, rest, rpc, naming }: EndpointConfig, timeoutMs: number): EndpointConnection =>
  // Who waits for its upgrade is found by the check of agreement, once for all endpoints.
  connect({ grpc, rest, rpc, naming: namings[naming], timeoutMs, explainHeights: false });

// Replaces transport.js and reflection.js when a bundler builds for browsers (`browser` in package.json), so that
// `connect` can be bundled without node:http2.
import { HubError } from '../error.js';
import type { TransportOptions } from '../options.js';
import type { Transport } from '../transport.js';
import { shownAddress } from '../shown-address.js';

/** @throws HubError `invalid_argument` always: browsers have no gRPC */
export function createGrpcTransport({ address }: Pick<TransportOptions, 'address'>): Transport<'grpc'> {
  throw noGrpc(address);
}

/** @throws HubError `invalid_argument` always: browsers have no gRPC */
export function listServices({ address }: Pick<TransportOptions, 'address'>): Promise<string[]> {
  return Promise.reject(noGrpc(address));
}

function noGrpc(address: string): HubError {
  return new HubError({
    code: 'invalid_argument',
    message: `grpc ${shownAddress(address)}: a browser cannot call gRPC; give the address of the gateway as \`rest\` or of the consensus RPC as \`rpc\``,
    address,
  });
}

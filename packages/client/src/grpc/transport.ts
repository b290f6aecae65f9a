import type { AnyMethod, RequestOf, ResponseOf } from '@hubwatch/types/runtime/method';
import { requireServed } from '../availability.js';
import { requireHeight } from '../height-header.js';
import { writeRequest } from '../message-error.js';
import { resolveNaming } from '../naming/resolve.js';
import { headersOf, limitsOf, type TransportOptions } from '../options.js';
import { placeOf } from '../place.js';
import type { Answer, CallOptions, Transport } from '../transport.js';
import { shareChannel } from './channel.js';
import { writeGrpcRequest } from './request.js';
import { readGrpcResponse } from './response.js';
import { shownAddress } from '../shown-address.js';

/**
 * Queries over gRPC, with the platform's HTTP/2. Runs in Node only.
 *
 * @throws HubError `invalid_argument` when the address cannot be parsed
 */
export function createGrpcTransport(options: TransportOptions): Transport<'grpc'> {
  const channel = shareChannel(options.address);
  return {
    kind: 'grpc',
    address: shownAddress(options.address),
    call: async <M extends AnyMethod>(method: M, request: RequestOf<M, 'grpc'>, call: CallOptions = {}) => {
      requireServed(method, 'grpc', options.address);
      const place = placeOf(method, 'grpc', options.address, call.height);
      requireHeight(call.height, place);
      const limits = limitsOf(options, call);
      const naming = await resolveNaming(options.naming, limits, place);
      const { path, message, metadata } = writeRequest(
        () => writeGrpcRequest(method, request as object, call.height, naming),
        place,
      );
      const sent = { path, message, metadata: { ...headersOf(options, call), ...Object.fromEntries(metadata) } };
      const answer = await channel.call(sent, limits, place);
      return readGrpcResponse(method, answer.message, answer.header, naming, place) satisfies Answer<ResponseOf<M>>;
    },
    close: () => {
      channel.close();
      return Promise.resolve();
    },
  };
}

import {
  ServerReflectionRequest,
  ServerReflectionResponse,
} from '@hubwatch/types/gen/forms/grpc/reflection/v1alpha/reflection';
import { decodeBinary, encodeBinary } from '@hubwatch/types/runtime/binary';
import { readAnswer } from '../message-error.js';
import { limitsOf, type TransportOptions } from '../options.js';
import type { Place } from '../place.js';
import type { CallOptions } from '../transport.js';
import { shareChannel } from './channel.js';
import { grpcError } from './error.js';

const path = '/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo';

/**
 * Wire names of the services that a node lists over reflection.
 *
 * @throws HubError `unimplemented` when the server has no v1alpha reflection, and as any call
 */
export async function listServices(
  options: Omit<TransportOptions, 'naming'> & Pick<CallOptions, 'signal'>,
): Promise<string[]> {
  const place: Place = {
    transport: 'grpc',
    address: options.address,
    method: 'grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo',
    height: undefined,
  };
  const channel = shareChannel(options.address);
  try {
    const message = encodeBinary(ServerReflectionRequest, { messageRequest: { $case: 'listServices', value: '*' } });
    // The stream is closed after the one request, so that exactly one response follows.
    const sent = { path, message, metadata: { ...options.headers } };
    const answer = await channel.call(sent, limitsOf(options, { signal: options.signal }), place);
    return readServices(answer.message, place);
  } finally {
    channel.close();
  }
}

function readServices(bytes: Uint8Array, place: Place): string[] {
  const answer = readAnswer(() => decodeBinary(ServerReflectionResponse, bytes), place);
  const held = answer.messageResponse;
  if (held?.$case === 'listServicesResponse') return held.value.service.map((service) => service.name);
  const refusal = held?.$case === 'errorResponse' ? held.value : { errorCode: 13, errorMessage: 'no list of services' };
  throw grpcError({ code: refusal.errorCode, details: refusal.errorMessage }, place);
}

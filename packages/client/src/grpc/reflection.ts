import {
  ServerReflectionRequest,
  ServerReflectionResponse,
} from '@hubwatch/types/gen/forms/grpc/reflection/v1alpha/reflection';
import { decodeBinary, encodeBinary } from '@hubwatch/types/runtime/binary';
import { cancelledError } from '../deadline.js';
import { readAnswer } from '../message-error.js';
import type { HubError } from '../error.js';
import { defaultTimeoutMs, type TransportOptions } from '../options.js';
import type { Place } from '../place.js';
import type { CallOptions } from '../transport.js';
import { metadataOf, openChannel, toBuffer } from './channel.js';
import { type GrpcFailure, grpcError } from './error.js';

const path = '/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo';

/**
 * Names of the services that a node lists over reflection, as on the wire.
 *
 * @throws HubError `unimplemented` when the server has no v1alpha reflection, and as any call
 */
export async function listServices(
  options: Omit<TransportOptions, 'naming'> & Pick<CallOptions, 'signal'>,
): Promise<string[]> {
  const { signal } = options;
  const place: Place = {
    transport: 'grpc',
    address: options.address,
    method: 'grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo',
    height: undefined,
  };
  if (signal?.aborted) throw cancelledError(place, signal.reason);
  const client = openChannel(options.address, options.maxBytes);
  let onAbort: (() => void) | undefined;
  try {
    return await new Promise<string[]>((resolve, reject: (error: HubError) => void) => {
      const stream = client.makeBidiStreamRequest<Uint8Array, Uint8Array>(
        path,
        toBuffer,
        (bytes) => bytes,
        metadataOf(Object.entries(options.headers ?? {})),
        { deadline: Date.now() + (options.timeoutMs ?? defaultTimeoutMs) },
      );
      onAbort = () => {
        reject(cancelledError(place, signal?.reason));
        stream.cancel();
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      stream.on('data', (bytes: Uint8Array) => {
        try {
          resolve(readServices(bytes, place));
        } catch (error) {
          reject(error as HubError);
        }
        stream.end();
      });
      stream.on('error', (failure: unknown) => reject(grpcError(failure as GrpcFailure, place)));
      stream.on('end', () => reject(grpcError({ code: 13, details: 'the stream ended without an answer' }, place)));
      stream.write(encodeBinary(ServerReflectionRequest, { messageRequest: { $case: 'listServices', value: '*' } }));
    });
  } finally {
    if (onAbort !== undefined) signal?.removeEventListener('abort', onAbort);
    client.close();
  }
}

function readServices(bytes: Uint8Array, place: Place): string[] {
  const answer = readAnswer(() => decodeBinary(ServerReflectionResponse, bytes), place);
  const held = answer.messageResponse;
  if (held?.$case === 'listServicesResponse') return held.value.service.map((service) => service.name);
  const refusal = held?.$case === 'errorResponse' ? held.value : { errorCode: 13, errorMessage: 'no list of services' };
  throw grpcError({ code: refusal.errorCode, details: refusal.errorMessage }, place);
}

import { type Client, type Metadata, type ServiceError, status } from '@grpc/grpc-js';
import type { AnyMethod, RequestOf, ResponseOf } from '@hubwatch/types/runtime/method';
import { requireServed } from '../availability.js';
import { cancelledError, leftMs, timeoutError } from '../deadline.js';
import { requireHeight } from '../height-header.js';
import { writeRequest } from '../message-error.js';
import { resolveNaming } from '../naming/resolve.js';
import { type CallLimits, limitsOf, type TransportOptions } from '../options.js';
import { type Place, placeOf } from '../place.js';
import type { Answer, CallOptions, Transport } from '../transport.js';
import { metadataOf, openChannel, toBuffer } from './channel.js';
import { grpcError } from './error.js';
import { RenewedChannel } from './renewed-channel.js';
import { type GrpcRequest, writeGrpcRequest } from './request.js';
import { readGrpcResponse } from './response.js';
import { shownAddress } from '../shown-address.js';

/**
 * Queries over gRPC, with grpc-js. Runs in Node only.
 *
 * @throws HubError `invalid_argument` when the address cannot be read
 */
export function createGrpcTransport(options: TransportOptions): Transport<'grpc'> {
  const channel = new RenewedChannel(() => openChannel(options.address, options.maxBytes));
  return {
    kind: 'grpc',
    address: shownAddress(options.address),
    call: async <M extends AnyMethod>(method: M, request: RequestOf<M, 'grpc'>, call: CallOptions = {}) => {
      requireServed(method, 'grpc', options.address);
      const place = placeOf(method, 'grpc', options.address, call.height);
      requireHeight(call.height, place);
      const limits = limitsOf(options, call);
      const naming = await resolveNaming(options.naming, limits, place);
      const sent = writeRequest(() => writeGrpcRequest(method, request as object, call.height, naming), place);
      const entries = [...Object.entries(options.headers ?? {}), ...sent.metadata];
      const answer = await channel.call((client) => unary(client, sent, metadataOf(entries), place, limits));
      const { metadata } = answer;
      return readGrpcResponse(method, answer.take(), (name) => textOf(metadata, name), naming, place) satisfies Answer<
        ResponseOf<M>
      >;
    },
    close: () => {
      channel.close();
      return Promise.resolve();
    },
  };
}

function textOf(metadata: Metadata | undefined, name: string): string | undefined {
  const value = metadata?.get(name)[0];
  return typeof value === 'string' ? value : undefined;
}

interface UnaryAnswer {
  /** The message, once: nothing keeps it afterwards. */
  take(): Uint8Array;
  readonly metadata: Metadata | undefined;
}

const none = new Uint8Array(0);

/**
 * A message that is let go when it is taken. What grpc-js knows of a call lives until the next full collection, because the
 * stream's native handle holds it; with the message it would be tens of megabytes while a long list is read.
 */
function heldOnce(metadata: () => Metadata | undefined): UnaryAnswer & { hold(bytes: Uint8Array): Uint8Array } {
  let message: Uint8Array = none;
  return {
    hold(bytes) {
      message = bytes;
      return none;
    },
    take() {
      const taken = message;
      message = none;
      return taken;
    },
    get metadata() {
      return metadata();
    },
  };
}

function unary(
  client: Client,
  sent: GrpcRequest,
  metadata: Metadata,
  place: Place,
  limits: CallLimits,
): Promise<UnaryAnswer> {
  const { signal } = limits;
  if (signal?.aborted) return Promise.reject(cancelledError(place, signal.reason));
  return new Promise((resolve, reject) => {
    let initial: Metadata | undefined;
    const held = heldOnce(() => initial);
    const onAbort = (): void => call.cancel();
    const call = client.makeUnaryRequest<Uint8Array, Uint8Array>(
      sent.path,
      toBuffer,
      (bytes) => held.hold(bytes),
      sent.message,
      metadata,
      { deadline: Date.now() + leftMs(limits) },
      (error: ServiceError | null, message?: Uint8Array) => {
        signal?.removeEventListener('abort', onAbort);
        if (error === null && message !== undefined) resolve(held);
        else reject(failureOf(error, place, limits, (name) => textOf(initial, name)));
      },
    );
    call.on('metadata', (received: Metadata) => {
      initial = received;
    });
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

function failureOf(
  error: ServiceError | null,
  place: Place,
  { timeoutMs, signal }: CallLimits,
  header: (name: string) => string | undefined,
): Error {
  if (signal?.aborted) return cancelledError(place, signal.reason);
  if (error === null) return grpcError({ code: 13, details: 'the answer has no message' }, place);
  return error.code === status.DEADLINE_EXCEEDED && /Deadline exceeded/i.test(error.details)
    ? timeoutError(timeoutMs, place, error)
    : grpcError(error, place, header);
}

import type { AnyMethod, RequestOf } from '@hubwatch/types/runtime/method';
import { leftMs } from '../deadline.js';
import { HubError } from '../error.js';
import { limitsOf, type TransportOptions } from '../options.js';
import type { CallOptions, Transport } from '../transport.js';

/**
 * Wraps the gRPC transport: an error whose text was lost gets it from another transport of the same node. HTTP/2 drops
 * a `grpc-message` that begins or ends with whitespace, and only the text determines the code of such an error. Without
 * another transport, or if it gives another result, the error stays unchanged.
 */
export function withLostTexts(
  grpc: Transport<'grpc'>,
  others: readonly (Transport<'rest'> | Transport<'abci'>)[],
  options: Pick<TransportOptions, 'timeoutMs'>,
): Transport<'grpc'> {
  return {
    ...grpc,
    call: async <M extends AnyMethod>(method: M, request: RequestOf<M, 'grpc'>, call: CallOptions = {}) => {
      const limits = limitsOf(options, call);
      try {
        return await grpc.call(method, request, call);
      } catch (error) {
        if (!hasLostText(error) || isBroadcast(method)) throw error;
        for (const other of others) {
          const timeoutMs = Math.ceil(leftMs(limits));
          if (timeoutMs <= 0) break;
          if (!method.availability[other.kind].served) continue;
          const ask = (other as unknown as Transport<'grpc'>).call.bind(other);
          const reason = await ask(method, request, { ...call, timeoutMs }).then(
            () => undefined,
            (failure: unknown) => failure,
          );
          if (reason instanceof HubError && isStatusWithText(reason)) throw withTextOf(error, reason);
        }
        throw error;
      }
    },
  };
}

function hasLostText(error: unknown): error is HubError {
  return error instanceof HubError && error.raw.grpcCode !== undefined && error.raw.text === '';
}

/** Broadcasts are excluded: a transaction must not be sent twice. */
function isBroadcast({ name }: AnyMethod): boolean {
  return name.startsWith('Broadcast');
}

/** Whether the node itself refused the request and gave a reason. */
function isStatusWithText({ raw }: HubError): boolean {
  const isOfNode = raw.grpcCode !== undefined || raw.abciCode !== undefined;
  return isOfNode && raw.text !== undefined && raw.text.trim() !== '';
}

function withTextOf(error: HubError, reason: HubError): HubError {
  const { transport, address, method, height, raw } = error;
  return new HubError({
    code: reason.code,
    message: `${error.rawMessage}; over ${reason.transport}: ${reason.raw.text?.trim()}`,
    ...(transport && { transport }),
    ...(address !== undefined && { address }),
    method,
    height: height ?? reason.height,
    lowestHeight: reason.lowestHeight,
    latestHeight: reason.latestHeight,
    raw: { ...raw, ...(reason.raw.text !== undefined && { text: reason.raw.text }) },
    cause: reason,
  });
}

import type { AnyMethod, RequestOf } from '@hubwatch/types/runtime/method';
import type { ConnectionEvent } from '../connection-event.js';
import { leftMs } from '../deadline.js';
import { type ErrorCode, HubError } from '../error.js';
import { limitsOf, type TransportOptions } from '../options.js';
import type { CallOptions, Transport } from '../transport.js';
import { UncarriedError } from './request.js';

/** Failures to reach a node: they leave the result of the other transport unknown. */
const unheard: ReadonlySet<ErrorCode> = new Set(['refused', 'tls', 'unavailable', 'timeout', 'http', 'rate_limited']);

/**
 * REST with a fallback for requests that no route can carry (a denom with a slash). These use the first other transport
 * of the same node that serves the method and is reachable. If there is none, the refusal of REST is returned.
 */
export function rerouted(
  rest: Transport<'rest'>,
  others: readonly (Transport<'grpc'> | Transport<'abci'>)[],
  options: Pick<TransportOptions, 'timeoutMs'>,
  tell: (event: ConnectionEvent) => void,
): Transport<'rest'> {
  return {
    ...rest,
    call: async <M extends AnyMethod>(method: M, request: RequestOf<M, 'rest'>, call: CallOptions = {}) => {
      const limits = limitsOf(options, call);
      let failure: unknown;
      try {
        return await rest.call(method, request, call);
      } catch (error) {
        if (!(error instanceof HubError && error.cause instanceof UncarriedError)) throw error;
        failure = error;
      }
      const reason = ((failure as HubError).cause as UncarriedError).message;
      for (const other of others) {
        if (!method.availability[other.kind].served) continue;
        tell({ kind: 'rerouted', method: `${method.service}/${method.name}`, from: 'rest', to: other.kind, reason });
        try {
          const ask = (other as Transport<'grpc'>).call.bind(other);
          return await ask(method, request as never, { ...call, timeoutMs: Math.ceil(leftMs(limits)) });
        } catch (error) {
          failure = error;
          // If gRPC is unavailable (a browser, no package), there is no status either.
          const isHeard = error instanceof HubError && error.raw.grpcCode !== undefined && !unheard.has(error.code);
          if (isHeard) throw error;
        }
      }
      throw failure;
    },
  };
}

import type { AnyMethod, RequestOf } from '@hubwatch/types/runtime/method';
import type { ConnectionEvent } from '../connection-event.js';
import { leftMs } from '../deadline.js';
import { type ErrorCode, HubError } from '../error.js';
import { limitsOf, type TransportOptions } from '../options.js';
import type { CallOptions, Transport } from '../transport.js';
import { UncarriedError } from './request.js';

/** Failures of the way to a node: what another way brings is not known then. */
const unheard: ReadonlySet<ErrorCode> = new Set(['refused', 'tls', 'unavailable', 'timeout', 'http', 'rate_limited']);

/**
 * REST, and for a request that no route can carry (a denom with a slash) the other transports of the same node, the first
 * that serves the method and can be asked. Where there is none the refusal of REST stays.
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
          // Of gRPC that is not there (a browser, no package) there is no status either.
          const isHeard = error instanceof HubError && error.raw.grpcCode !== undefined && !unheard.has(error.code);
          if (isHeard) throw error;
        }
      }
      throw failure;
    },
  };
}

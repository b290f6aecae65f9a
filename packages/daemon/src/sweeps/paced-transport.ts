import { type Clock, HubError, pause, type Transport } from '@hubwatch/client';
import type { Endpoint, QueryTransport } from '../endpoints/endpoint.js';
import type { NodePace } from './node-pace.js';

/** Number of attempts for one page before the endpoint counts as lost. */
const tries = 4;

export interface PacedParts {
  readonly pace: NodePace;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onPage: () => void;
  readonly onPause: (ms: number) => void;
}

/**
 * An endpoint as the transport for the client's `pages()`. Each page waits until the pace allows the next request, and
 * a failed page is retried. Pages are requested one after another, so that only the pauses lie between them.
 */
export const pacedTransport = (endpoint: Endpoint, kind: QueryTransport, parts: PacedParts): Transport<'grpc'> => {
  const { pace, clock, signal, onPage, onPause } = parts;
  const rest = async (): Promise<void> => {
    const ms = pace.pauseMs();
    if (ms > 0) {
      onPause(ms);
      await pause(clock, ms, signal);
    }
    if (signal.aborted) throw new HubError({ code: 'cancelled', message: 'the sweep was ended' });
  };
  const transport: Transport = {
    // The kind determines the available methods; requests have the same form for all.
    kind,
    address: endpoint.name,
    async call(method, request, { height } = {}) {
      for (let left = tries - 1; ; left -= 1) {
        await rest();
        const started = clock.monotonicMs();
        try {
          const answer = await endpoint.query(kind, method, request as never, { height, signal });
          pace.answered(method.name, clock.monotonicMs() - started);
          onPage();
          return answer;
        } catch (error) {
          if (signal.aborted || !(error instanceof HubError) || !error.retryable) throw error;
          pace.failed(error);
          if (left === 0) throw error;
        }
      }
    },
    close: () => Promise.resolve(),
  };
  return transport as Transport<'grpc'>;
};

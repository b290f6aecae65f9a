import { type Clock, HubError, pause, type Transport } from '@hubwatch/client';
import type { Endpoint, QueryTransport } from '../endpoints/endpoint.js';
import type { NodePace } from './node-pace.js';

/** Times that one page is asked for before the endpoint counts as lost. */
const tries = 4;

export interface PacedParts {
  readonly pace: NodePace;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onPage: () => void;
  readonly onPause: (ms: number) => void;
}

/**
 * An endpoint as the client's `pages()` asks it: every page waits until the node may be asked again, and a page that failed
 * is asked for again. Pages are asked for one after the other, so that the waits are all that is between them.
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
    // Which transport it is decides what is served; the form of the requests is the same for all.
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

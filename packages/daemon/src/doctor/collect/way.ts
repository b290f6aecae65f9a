import { shownAddress } from '@hubwatch/client';
import { HubError } from '@hubwatch/client';
import { failureText } from '../../endpoints/failure.js';
import { type Reach, type TlsLook, tlsLook } from '../../endpoints/surface.js';
import type { Budget } from '../budget.js';
import type { Way, WayFailure } from '../diagnosis.js';
import { shownPlace } from '../subject.js';
import { type Lookup, lookAtWire } from './wire.js';

export interface WayParts {
  readonly address: string;
  readonly reach: Reach;
  readonly budget: Budget;
  readonly lookup: Lookup;
  /** Resolves to the height of the state in the response. */
  readonly ask: () => Promise<bigint | undefined>;
}

/** Sends the first query to an address; if it fails, checks the layers below. */
export const lookAtWay = async ({ address, reach, budget, lookup, ask }: WayParts): Promise<Way> => {
  const started = reach.clock.monotonicMs();
  const first = await ask().then(
    (stateHeight) => ({ stateHeight, failure: undefined }),
    (error: unknown) => {
      if (reach.signal.aborted) throw error;
      return { stateHeight: undefined, failure: failureOf(error) };
    },
  );
  const ms = reach.clock.monotonicMs() - started;
  const wire = first.failure === undefined ? undefined : await lookAtWire(address, reach, budget, lookup);
  return {
    address: shownAddress(address),
    ...first,
    ms,
    wire,
    tls: wire === undefined ? await certificate(address, reach, budget) : wire.tls,
  };
};

/** Refusals by the node itself: its protocol works. */
const ofNode: ReadonlySet<WayFailure['code']> = new Set(['unimplemented', 'starting', 'internal', 'not_found']);

/** Whether the server speaks the protocol of the transport, even if it refused the query. */
export const speaks = ({ failure }: Way): boolean => failure === undefined || ofNode.has(failure.code);

const failureOf = (error: unknown): WayFailure => ({
  code: error instanceof HubError ? error.code : 'unknown',
  httpStatus: error instanceof HubError ? error.raw.httpStatus : undefined,
  retryAfterMs: error instanceof HubError ? error.raw.retryAfterMs : undefined,
  text: failureText(error),
});

const certificate = async (address: string, reach: Reach, budget: Budget): Promise<TlsLook | undefined> => {
  const { host, port, isTls } = shownPlace(address);
  if (!isTls) return undefined;
  budget.spend();
  return tlsLook(host, port, reach).catch(() => undefined);
};

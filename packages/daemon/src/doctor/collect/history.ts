import { firstHeight } from '@hubwatch/client';
import type { Endpoint, QueryTransport } from '../../endpoints/endpoint.js';
import { probeState } from '../../endpoints/state-probe.js';
import { isExact, lookAtBound, type StateProbe } from '../../endpoints/state-search.js';
import type { StateFacts } from '../diagnosis.js';
import type { WayName } from '../subject.js';

export interface HistoryParts {
  readonly endpoint: Endpoint;
  /** Latest state height, for each transport that responds. */
  readonly newest: ReadonlyMap<WayName, bigint>;
  readonly depths: readonly bigint[];
  readonly signal: AbortSignal;
  readonly random: () => number;
}

const transports: Readonly<Record<WayName, QueryTransport>> = { grpc: 'grpc', rest: 'rest', rpc: 'abci' };

/**
 * Determines the lowest state over every transport: the first by a search, the others by checking whether it is the
 * same.
 */
export const lookAtHistory = async (parts: HistoryParts): Promise<readonly StateFacts[]> => {
  const { endpoint, newest, depths, signal, random } = parts;
  const found: StateFacts[] = [];
  for (const [way, height] of newest) {
    if (height <= firstHeight) continue;
    const probe = (at: bigint): Promise<StateProbe> =>
      probeState(endpoint, transports[way], at, signal).catch((error: unknown) => {
        if (signal.aborted) throw error;
        return 'unclear';
      });
    // The result of a search that ran out of budget is a better start than none.
    const known = (found.find(({ bracket }) => isExact(bracket)) ?? found.find((one) => one.stopped === 'budget'))
      ?.bracket;
    const { bracket, stopped } = await lookAtBound(known, firstHeight, height, { probe, random });
    const ofDepths = new Map<bigint, StateProbe>();
    for (const depth of depths) if (height - depth >= firstHeight) ofDepths.set(depth, await probe(height - depth));
    found.push({ way, newest: height, bracket, stopped, depths: ofDepths });
  }
  return found;
};

import { detectNaming, publicNaming } from '@hubwatch/client';
import { identityNaming } from '@hubwatch/types/runtime/naming-profile';
import type { Naming } from '@hubwatch/types/runtime/naming';
import type { Reach } from '../../endpoints/surface.js';
import type { Budget } from '../budget.js';
import { type Subject, type WayName, wayNames } from '../subject.js';

/**
 * Requests needed to detect the naming: reflection, and one call with each of two names over REST and consensus RPC.
 */
const searchCosts: Readonly<Record<WayName, number>> = { grpc: 1, rest: 2, rpc: 2 };

/** Names that an endpoint uses; `undefined` if they cannot be determined. */
export const namingOf = async (
  { addresses, headers, naming }: Pick<Subject, 'addresses' | 'headers' | 'naming'>,
  { timeoutMs, signal }: Reach,
  budget: Budget,
): Promise<Naming | undefined> => {
  if (naming === 'public') return publicNaming;
  if (naming === 'neutral') return identityNaming;
  for (const name of wayNames) if (addresses[name] !== undefined) budget.spend(searchCosts[name]);
  try {
    return await detectNaming({ ...addresses, headers, timeoutMs, signal });
  } catch (error) {
    if (signal.aborted) throw error;
    return undefined;
  }
};

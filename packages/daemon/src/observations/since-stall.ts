import { starvedReason } from '../checks/check.js';
import type { AwakeTime } from '../schedule/awake-time.js';
import type { Observations } from './observations.js';

/**
 * Observations without those that began before a long stall of this process: their content may be outdated. They are unknown
 * until they are read again.
 */
export const sinceStall = (
  observations: Pick<Observations, 'outcome'>,
  awake: Pick<AwakeTime, 'lastStallMs'>,
): Pick<Observations, 'outcome'> => {
  const stallMs = awake.lastStallMs();
  if (stallMs === undefined) return observations;
  return {
    outcome: (check, key) => {
      const outcome = observations.outcome(check, key);
      if (outcome?.state !== 'known' || (outcome.moment.monotonicMs ?? stallMs) >= stallMs) return outcome;
      const text = 'read before this process stood still, and not again yet';
      return { state: 'failed', reason: starvedReason, text, moment: outcome.moment };
    },
  };
};

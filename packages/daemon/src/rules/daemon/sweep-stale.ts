import { sweepGapMs } from '../../sweeps/sweep-times.js';
import { span, utc } from '../../words.js';
import type { Rule } from '../rule.js';

/** Minimum age at which a count is stale; the limit is longer for longer intervals. */
const shortestMs = 3_600_000;
/** Number of intervals that may pass. */
const intervals = 3;

/** Whole lists have not been read completely for a long time: the network data shown is outdated. */
export const sweepStale: Rule = {
  name: 'HubwatchSweepStale',
  severity: 'warning',
  forMs: 300_000,
  time: 'clock',
  // During these alerts no list can be read completely from any endpoint.
  inhibitedBy: [
    { rule: 'HubAllEndpointsDown', equal: 'chain' },
    { rule: 'HubChainHalted', equal: 'chain' },
  ],
  evaluate({ sweeps, config, clockMs, local, speed = 1 }) {
    if (!sweeps.isOn) return [];
    const patienceMs = speed * Math.max(shortestMs, intervals * sweepGapMs(config.sweeps, clockMs));
    // Ages are unknown across a jump of the clock.
    const isMisdated = local?.jump !== undefined && local.jump.agoMs < patienceMs;
    const old = sweeps.states().filter(({ last }) => clockMs - (last?.completedMs ?? sweeps.sinceMs) > patienceMs);
    // A list that was never read completely since the store was created may have been due before this process started.
    const isOpen = sweeps.states().some(({ last }) => last === undefined);
    const names = old.map(({ collection }) => collection).join(', ');
    return [
      {
        subject: 'sweeps',
        term: '',
        state: isMisdated ? 'unknown' : old.length > 0 ? 'firing' : isOpen ? 'unknown' : 'ok',
        title: old.length > 0 ? `sweeps: not read for over ${span(patienceMs)}: ${names}` : 'sweeps: read lately',
        text: old
          .map(({ collection, last, failure }) => {
            const age = last === undefined ? 'never read' : `last read at ${utc(last.completedMs)}`;
            return `${collection}: ${age}${failure === undefined ? '' : `. ${failure.text}`}`;
          })
          .join('\n'),
      },
    ];
  },
};

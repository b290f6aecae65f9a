import type { Config } from '../../config/schema.js';
import { seconds } from '../../checks/prometheus.js';
import { sweepGapMs } from '../../sweeps/sweep-times.js';
import { span, utc } from '../../words.js';
import type { Rule } from '../rule.js';

/** Minimum age at which a count is stale; the limit is longer for longer intervals. */
const shortestMs = 3_600_000;
/** Number of intervals that may pass. */
const intervals = 3;

const patienceOf = (sweeps: Config['sweeps'], atMs: number): number =>
  Math.max(shortestMs, intervals * sweepGapMs(sweeps, atMs));

/** Complete sweeps have failed for a long time, so the data about the network is old. */
export const sweepStale: Rule = {
  name: 'HubwatchSweepStale',
  severity: 'warning',
  forMs: 300_000,
  time: 'clock',
  // While these alerts fire, no list can be read completely from any endpoint.
  inhibitedBy: [
    { rule: 'HubAllEndpointsDown', equal: 'chain' },
    { rule: 'HubChainHalted', equal: 'chain' },
  ],
  prometheus: {
    expr: ({ sweeps }, nowMs) =>
      `time() - hubwatch_sweep_last_complete_timestamp_seconds > ${seconds(patienceOf(sweeps, nowMs))}`,
    labels: ['collection'],
    summary: 'The last complete read of {{ $labels.collection }} was {{ $value | humanizeDuration }} ago',
    description:
      'Data about the whole network are outdated. `hubwatch_sweep_restarts_total` and the log show why the reads do not complete.',
    difference: 'A list that was never read completely has no series.',
  },
  evaluate({ sweeps, config, clockMs, local, speed = 1 }) {
    if (!sweeps.isOn) return [];
    const patienceMs = speed * patienceOf(config.sweeps, clockMs);
    // Ages that span a clock step are unknown.
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

import { hasBegunOrIncreased } from '../../checks/prometheus.js';
import { span } from '../../words.js';
import type { Rule } from '../rule.js';

const windowMs = 300_000;
/** Total stall time within the window from which rounds are delayed. */
const mostLostMs = 5_000;
/** Time without stalls after which the alert ends. */
const calmMs = 600_000;

/**
 * This process got no CPU time for a while. Results of requests in that time are unknown, and the machine is what needs
 * attention.
 */
export const starved: Rule = {
  name: 'HubwatchStarved',
  severity: 'warning',
  forMs: 0,
  time: 'clock',
  prometheus: {
    expr: `max without (exported_job) (${hasBegunOrIncreased('hubwatch_starved_rounds_total', ['exported_job'], windowMs)})`,
    labels: [],
    summary: 'The daemon does not get enough CPU time',
    description:
      'Some polling rounds were too late to evaluate, and other alerts may be delayed. Check the load and the memory of the machine that runs the daemon.',
    difference: 'Prometheus counts rounds without a result. The daemon measures how long its process was suspended.',
  },
  evaluate({ local }) {
    if (local === undefined) return [];
    const base = { subject: 'process', term: '' };
    const lostMs = local.lostMs(windowMs);
    if (lostMs >= mostLostMs)
      return [
        {
          ...base,
          state: 'firing',
          title: `this monitor stood still for ${span(lostMs)} of the last ${span(windowMs)}`,
          text: [
            'Its process did not get to run: the machine is overloaded, swaps, or was suspended.',
            'What was asked meanwhile is not known. No alert was raised or ended by it, and everything is read again. While this lasts, other alerts can come late.',
            'Look at the load and the memory of the machine that this monitor runs on. `hubwatch_starved_rounds_total` counts the rounds without a result.',
          ].join('\n'),
        },
      ];
    // After a start it is unknown whether the process stalled before.
    const isCalm = local.watchedMs >= calmMs && local.lostMs(calmMs) < mostLostMs;
    return [
      {
        ...base,
        state: isCalm ? 'ok' : 'unknown',
        title: 'this monitor runs without pauses again',
        text: `It did not stand still within the last ${span(calmMs)}.`,
      },
    ];
  },
};

/** The system time of this machine was changed. */
export const clockJumped: Rule = {
  name: 'HubwatchClockJumped',
  severity: 'warning',
  forMs: 0,
  time: 'clock',
  prometheus: { notInMetrics: 'No metric counts steps of the local clock.' },
  evaluate({ local }) {
    if (local === undefined) return [];
    const base = { subject: 'clock', term: '' };
    const { jump, watchedMs } = local;
    if (jump !== undefined && jump.agoMs < calmMs)
      return [
        {
          ...base,
          state: 'firing',
          title: `the clock of this machine went ${jump.byMs > 0 ? 'ahead' : 'back'} by ${span(Math.abs(jump.byMs))}`,
          text: [
            'Holds and waits of alerts go by monotonic time, deadlines by block time: neither changed. Dates in notices and on the page go by the new time.',
            'Look at the time synchronisation of the machine that this monitor runs on.',
          ].join('\n'),
        },
      ];
    return [
      {
        ...base,
        state: jump === undefined && watchedMs < calmMs ? 'unknown' : 'ok',
        title: 'the clock of this machine runs without steps',
        text: `It made no step within the last ${span(calmMs)}.`,
      },
    ];
  },
};

import type { Proof } from './proof.js';
import { compareHours, type Comparison, hourHeading, hourLine } from './soak/hours.js';
import { soakDaemon } from './soak/soak-world.js';

/** A day of faults does not leave resources behind in the daemon. */
export const soak: Proof = {
  name: 'soak',
  about:
    'Through hours of faults (--runs, 24 by default) the heap, files, sockets, timers, WAL, rows and log lines per hour of the daemon stay flat; tables of events are compared from 8 hours on; polls are at coarser intervals than by default.',
  defaultRuns: 3,
  async run({ seed, runs: hours = 24, log }) {
    if (hours < 3 || hours > 27) throw new Error(`--runs ${hours}: must be 3 to 27, the hours of the recorded day`);
    log(hourHeading);
    let number = 0;
    const report = await soakDaemon(seed, hours, (hour) => log(hourLine(++number, hour)));
    const comparisons = compareHours(report.hours);
    const grown = comparisons.filter(({ isFlat }) => !isFlat);
    const { webhook, mail } = report.notices;
    return {
      passed: comparisons.length - grown.length,
      total: comparisons.length,
      counterExample: grown.length === 0 ? undefined : grown.map(text).join('; '),
      figures: {
        'simulated hours': hours,
        blocks: report.blocks,
        'faults committed': report.faults,
        'restarts of the node': report.restarts,
        'webhook requests': `${webhook.accepted} accepted, ${webhook.refused} failed`,
        mails: `${mail.accepted} accepted, ${mail.refused} failed`,
        'poll intervals': 'endpoints and ledger 2 min, nodes and the rest 5 to 20 min',
        ...Object.fromEntries(
          comparisons.map((one) => [`highest ${one.what}`, `${one.early} early, ${one.late} late`]),
        ),
      },
    };
  },
};

const text = ({ what, early, late }: Comparison): string => `${what} rose from ${early} to ${late}`;

import type { BenchmarkOutcome } from '../benchmark.js';
import { median } from '../median.js';
import type { BesideIdle } from './programs.js';
import { counts } from './world.js';

type Figures = Omit<BesideIdle, 'sums'>;

const limits = { seconds: 10, peakRssMb: 150, stallMs: 20 } as const;
/** On a machine where even an idle program's timers are later than this, the wall clock time of a sweep is not meaningful. */
const quietMs = 5;

export function line({ seconds, cpuSeconds, peakRssMb, stallMs, lateMs, lateP99Ms, idleLateMs }: Figures): string {
  const late = `timers at most ${lateMs.toFixed(1)} ms late, 99 of 100 under ${lateP99Ms.toFixed(1)}; of an idle program at most ${idleLateMs.toFixed(1)}`;
  return `${seconds.toFixed(2)} s (${cpuSeconds.toFixed(2)} of a processor), peak ${peakRssMb.toFixed(0)} MB, longest stall ${stallMs.toFixed(1)} ms of its own (${late})`;
}

/** The worst ratio of the three figures to their limits, in seconds. */
export function outcomeOf(
  reports: readonly Figures[],
  peer: readonly Figures[],
  figures: Readonly<Record<string, string>> = {},
): BenchmarkOutcome {
  const ours = middleOf(reports);
  const isQuiet = ours.idleLateMs <= quietMs;
  const judged = { ...ours, stallMs: isQuiet ? Math.max(ours.stallMs, ours.lateMs) : ours.stallMs };
  const worst = Math.max(...(Object.keys(limits) as (keyof typeof limits)[]).map((key) => judged[key] / limits[key]));
  return {
    figure: worst * limits.seconds,
    target: limits.seconds,
    unit: 's',
    figures: {
      ours: line(ours),
      'ts-proto and grpc-js': line(middleOf(peer)),
      limits: `${limits.seconds} s, ${limits.peakRssMb} MB, ${limits.stallMs} ms; the figure is the worst of the three, scaled to ${limits.seconds}`,
      'stall judged by': isQuiet
        ? 'the wall clock, as the machine was quiet'
        : `processor time of the thread alone, as an idle program was up to ${ours.idleLateMs.toFixed(0)} ms late as well`,
      'sums of every run': `exact, of ${counts.sessions + counts.leases + counts.nodes} records`,
      ...figures,
    },
  };
}

function middleOf(reports: readonly Figures[]): Figures {
  const middle = (key: keyof Figures): number => median(reports.map((report) => report[key]));
  return {
    seconds: middle('seconds'),
    cpuSeconds: middle('cpuSeconds'),
    peakRssMb: middle('peakRssMb'),
    stallMs: middle('stallMs'),
    lateMs: middle('lateMs'),
    lateP99Ms: middle('lateP99Ms'),
    idleLateMs: middle('idleLateMs'),
  };
}

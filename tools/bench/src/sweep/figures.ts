import type { BenchmarkOutcome } from '../benchmark.js';
import { median } from '../median.js';
import type { BesideIdle } from './programs.js';
import { counts } from './world.js';

type Figures = Omit<BesideIdle, 'sums'>;

const limits = { timeRatio: 0.7, peakRssMb: 150, stallMs: 20 } as const;
/** On a machine where even an idle program's timers are later than this, the wall clock time of a sweep is not meaningful. */
const quietMs = 5;

export function line({ seconds, cpuSeconds, peakRssMb, stallMs, lateMs, lateP99Ms, idleLateMs }: Figures): string {
  const late = `timers at most ${lateMs.toFixed(1)} ms late, 99 of 100 under ${lateP99Ms.toFixed(1)}; of an idle program at most ${idleLateMs.toFixed(1)}`;
  return `${seconds.toFixed(2)} s (${cpuSeconds.toFixed(2)} of a processor), peak ${peakRssMb.toFixed(0)} MB, longest stall ${stallMs.toFixed(1)} ms of its own (${late})`;
}

/** The duration divided by that of the peer; or a higher figure, if memory or stalls exceed their limits by more. */
export function outcomeOf(
  reports: readonly Figures[],
  peer: readonly Figures[],
  figures: Readonly<Record<string, string>> = {},
): BenchmarkOutcome {
  const ours = middleOf(reports);
  const isQuiet = ours.idleLateMs <= quietMs;
  const judged = { ...ours, stallMs: isQuiet ? Math.max(ours.stallMs, ours.lateMs) : ours.stallMs };
  const theirs = middleOf(peer);
  const timeRatio = ours.seconds / theirs.seconds;
  const worst = Math.max(
    timeRatio / limits.timeRatio,
    // Below their limits, memory and stalls do not count: the figure is the ratio of the durations.
    ...[judged.peakRssMb / limits.peakRssMb, judged.stallMs / limits.stallMs].filter((share) => share > 1),
  );
  return {
    figure: worst * limits.timeRatio,
    target: limits.timeRatio,
    unit: '× ts-proto and grpc-js',
    figures: {
      ours: line(ours),
      'ts-proto and grpc-js': line(theirs),
      'ratio of the durations': timeRatio.toFixed(2),
      limits: `ratio ${limits.timeRatio}, ${limits.peakRssMb} MB, ${limits.stallMs} ms; the figure is the ratio, or higher if another limit is exceeded by more`,
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

import { closeSync, openSync, readSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { SweepReport } from './world.js';

/** Runs a sweep in this process, and prints its result and its cost. */
export async function measure<T>(sweep: (address: string) => Promise<T>): Promise<void> {
  // The time to load the program is not part of the sweep.
  await new Promise((resolve) => setTimeout(resolve, 50));
  const late = watchTimers();
  const stall = watchStalls();
  const cpu = process.cpuUsage();
  const began = performance.now();
  const sums = await sweep(process.argv[2] ?? '');
  const seconds = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const report: SweepReport<T> = {
    sums,
    seconds,
    cpuSeconds: (user + system) / 1e6,
    peakRssMb: process.resourceUsage().maxRSS / 1024,
    stallMs: stall.longestMs(),
    ...late(),
  };
  process.stdout.write(`${JSON.stringify(report)}\n`);
}

/** Measures the delay of this process's timers in elapsed time, until the returned function is called. */
export function watchTimers(): () => Pick<SweepReport, 'lateMs' | 'lateP99Ms'> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  // The sampling interval is one millisecond.
  const ms = (nanos: number): number => Math.max(0, nanos / 1e6 - 1);
  return () => {
    delay.disable();
    return { lateMs: ms(delay.max), lateP99Ms: ms(delay.percentile(99)) };
  };
}

/**
 * Measures the longest time that this thread computed between two timer turns, which is the delay caused by the sweep
 * itself. Delays by other programs, which late timers also show, are not included.
 */
function watchStalls(): { longestMs(): number } {
  // Reads into the same buffer each time: the measurement must not create garbage.
  const file = openSync('/proc/self/schedstat', 'r');
  const bytes = Buffer.alloc(64);
  /** Milliseconds of processor time of the main thread. */
  const threadMs = (): number => {
    const length = readSync(file, bytes, 0, bytes.length, 0);
    return Number.parseInt(bytes.toString('latin1', 0, length), 10) / 1e6;
  };
  let longest = 0;
  let last = threadMs();
  const timer = setInterval(() => {
    const now = threadMs();
    longest = Math.max(longest, now - last);
    last = now;
  }, 1);
  return {
    longestMs: () => {
      clearInterval(timer);
      closeSync(file);
      return longest;
    },
  };
}

import { closeSync, openSync, readSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { SweepReport } from './world.js';

/** Runs a sweep of this process, and prints what it found and what it took. */
export async function measure<T>(sweep: (address: string) => Promise<T>): Promise<void> {
  // Loading the program is not part of the sweep.
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

/** How late the timers of this process are on the wall, until it is asked. */
export function watchTimers(): () => Pick<SweepReport, 'lateMs' | 'lateP99Ms'> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  // The sampling itself takes a millisecond.
  const ms = (nanos: number): number => Math.max(0, nanos / 1e6 - 1);
  return () => {
    delay.disable();
    return { lateMs: ms(delay.max), lateP99Ms: ms(delay.percentile(99)) };
  };
}

/**
 * Longest time that this thread computed between two turns of timers: what a sweep holds up by itself. What other programs
 * of the machine hold up, which late timers show as well, is not in it.
 */
function watchStalls(): { longestMs(): number } {
  // Read into the same bytes each time: a watcher must not make garbage of its own.
  const file = openSync('/proc/self/schedstat', 'r');
  const bytes = Buffer.alloc(64);
  /** Milliseconds that the main thread has spent on a processor. */
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

import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Sums, SweepReport } from './world.js';

/** Runs a sweep of this process, and prints what it found and what it took. */
export async function measure(sweep: (address: string) => Promise<Sums>): Promise<void> {
  // Loading the program is not part of the sweep.
  await new Promise((resolve) => setTimeout(resolve, 50));
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const stall = watchStalls();
  delay.enable();
  const began = performance.now();
  const sums = await sweep(process.argv[2] ?? '');
  const seconds = (performance.now() - began) / 1000;
  delay.disable();
  const report: SweepReport = {
    sums,
    seconds,
    peakRssMb: process.resourceUsage().maxRSS / 1024,
    stallMs: stall.longestMs(),
    // The sampling itself takes a millisecond.
    delayMs: Math.max(0, delay.max / 1e6 - 1),
  };
  process.stdout.write(`${JSON.stringify(report)}\n`);
}

/**
 * Longest time that this thread computed between two turns of timers: what a sweep holds up by itself. What other programs
 * of the machine hold up, which the delay shows as well, is not in it.
 */
function watchStalls(): { longestMs(): number } {
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
      return longest;
    },
  };
}

/** Milliseconds that the main thread has spent on a processor. */
function threadMs(): number {
  return Number(readFileSync('/proc/self/schedstat', 'latin1').split(' ')[0]) / 1e6;
}

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Self-measurements of a process, in windows of one second. */
export interface TurnFigures {
  /** Longest time between two event loop turns: processor time of the main thread, and elapsed time. */
  readonly cpuMs: number;
  readonly wallMs: number;
  readonly rssBytes: number;
  /** Maximum since the start. */
  readonly mostRssBytes: number;
}

/** Writes a module for preloading (`--import`) that appends its figures to the file, one line per second. */
export function writeTurnMeter(folder: string): { readonly module: string; readonly file: string } {
  const file = join(folder, 'turns.jsonl');
  const module = join(folder, 'turn-meter.mjs');
  writeFileSync(file, '');
  writeFileSync(
    module,
    `import { appendFileSync, openSync, readSync } from 'node:fs';
// Linux counts the time of each thread; those of the garbage collector and of zlib do not hold up the event loop.
const buffer = Buffer.alloc(100);
let schedstat;
try { schedstat = openSync('/proc/self/schedstat', 'r'); } catch {}
const cpuMs = () => {
  if (schedstat !== undefined) return parseInt(buffer.latin1Slice(0, readSync(schedstat, buffer, 0, 100, 0)), 10) / 1e6;
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
let cpu = cpuMs(), wall = performance.now(), most = { cpuMs: 0, wallMs: 0 }, written = wall;
setInterval(() => {
  const now = performance.now();
  most.cpuMs = Math.max(most.cpuMs, cpuMs() - cpu);
  most.wallMs = Math.max(most.wallMs, now - wall);
  if (now - written >= 1000) {
    const rss = { rssBytes: process.memoryUsage.rss(), mostRssBytes: process.resourceUsage().maxRSS * 1024 };
    appendFileSync(${JSON.stringify(file)}, JSON.stringify({ ...most, ...rss }) + '\\n');
    most = { cpuMs: 0, wallMs: 0 };
    written = now;
  }
  cpu = cpuMs();
  wall = performance.now();
}, 2).unref();
`,
  );
  return { module, file };
}

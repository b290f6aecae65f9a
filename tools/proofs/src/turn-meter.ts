import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a process measures of itself, in windows of a second. */
export interface TurnFigures {
  /** Longest processor time, and longest time, between two turns of the event loop. */
  readonly cpuMs: number;
  readonly wallMs: number;
  readonly rssBytes: number;
}

/** Writes a module that a program loads first (`--import`); it appends its figures to the file, a line a second. */
export function writeTurnMeter(folder: string): { readonly module: string; readonly file: string } {
  const file = join(folder, 'turns.jsonl');
  const module = join(folder, 'turn-meter.mjs');
  writeFileSync(file, '');
  writeFileSync(
    module,
    `import { appendFileSync } from 'node:fs';
let cpu = process.cpuUsage(), wall = performance.now(), most = { cpuMs: 0, wallMs: 0 }, written = wall;
setInterval(() => {
  const now = performance.now(), used = process.cpuUsage(cpu);
  most.cpuMs = Math.max(most.cpuMs, (used.user + used.system) / 1000);
  most.wallMs = Math.max(most.wallMs, now - wall);
  if (now - written >= 1000) {
    appendFileSync(${JSON.stringify(file)}, JSON.stringify({ ...most, rssBytes: process.memoryUsage.rss() }) + '\\n');
    most = { cpuMs: 0, wallMs: 0 };
    written = now;
  }
  cpu = process.cpuUsage();
  wall = performance.now();
}, 2).unref();
`,
  );
  return { module, file };
}

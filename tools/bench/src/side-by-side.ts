import { median } from './median.js';

/** Median milliseconds of each way to do one thing, measured in turns so that all see the same machine. */
export function sideBySide<Name extends string>(
  ways: Readonly<Record<Name, () => unknown>>,
  rounds: number,
  repeats: number,
): Record<Name, number> {
  const names = Object.keys(ways) as Name[];
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  // Until the compiler of the engine has settled.
  for (let i = 0; i < 3 * repeats; i++) for (const name of names) ways[name]();
  for (let round = 0; round < rounds; round++) {
    // Another one begins each round: what the one before leaves to the collector falls on each in turn.
    for (let i = 0; i < names.length; i++) {
      const name = names[(round + i) % names.length] as Name;
      const began = performance.now();
      for (let n = 0; n < repeats; n++) ways[name]();
      times[name].push((performance.now() - began) / repeats);
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(times[name])])) as Record<Name, number>;
}

import { median } from './median.js';

/** Median time in milliseconds of each alternative, measured alternately so that all run under the same conditions. */
export function sideBySide<Name extends string>(
  ways: Readonly<Record<Name, () => unknown>>,
  rounds: number,
  repeats: number,
): Record<Name, number> {
  const names = Object.keys(ways) as Name[];
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  // Warm-up until the engine's compiler has settled.
  for (let i = 0; i < 3 * repeats; i++) for (const name of names) ways[name]();
  for (let round = 0; round < rounds; round++) {
    // The order rotates between rounds, so that garbage left by one alternative affects all of them equally.
    for (let i = 0; i < names.length; i++) {
      const name = names[(round + i) % names.length] as Name;
      const began = performance.now();
      for (let n = 0; n < repeats; n++) ways[name]();
      times[name].push((performance.now() - began) / repeats);
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(times[name])])) as Record<Name, number>;
}

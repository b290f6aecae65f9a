import { isDeepStrictEqual } from 'node:util';
import type { Path } from './absent-members.js';

/**
 * Path of the smallest value in which two forms differ; `undefined` if they are equal. If several members of an object
 * differ, it is the path of that object.
 */
export function divergence(one: unknown, other: unknown): Path | undefined {
  if (isDeepStrictEqual(one, other)) return undefined;
  const path: (string | number)[] = [];
  let [a, b] = [one, other];
  for (;;) {
    const keys = differingKeys(a, b);
    const [key] = keys;
    if (keys.length !== 1 || key === undefined) return path;
    path.push(Array.isArray(a) ? Number(key) : key);
    a = (a as Record<string, unknown>)[key];
    b = (b as Record<string, unknown>)[key];
  }
}

/** Keys whose values differ; empty if the two are not objects of the same shape. */
function differingKeys(a: unknown, b: unknown): string[] {
  if (!isContainer(a) || !isContainer(b) || Array.isArray(a) !== Array.isArray(b)) return [];
  const keys = Object.keys(a);
  if (!isDeepStrictEqual(keys.sort(), Object.keys(b).sort())) return [];
  return keys.filter((key) => !isDeepStrictEqual((a as never)[key], (b as never)[key]));
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(value instanceof Uint8Array);
}

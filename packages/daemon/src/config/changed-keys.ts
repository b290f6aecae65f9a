import { isDeepStrictEqual } from 'node:util';

/**
 * Returns the keys whose values differ between two configurations, such as `poll.nodes` or `watch.nodes`. The result contains
 * no values, because addresses may be confidential. Lists are compared as a whole.
 */
export const changedKeys = (before: unknown, after: unknown, path = ''): readonly string[] => {
  if (isDeepStrictEqual(before, after)) return [];
  if (!isMapping(before) || !isMapping(after)) return [path];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name) => changedKeys(before[name], after[name], path === '' ? name : `${path}.${name}`));
};

const isMapping = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

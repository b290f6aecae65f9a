import { isDeepStrictEqual } from 'node:util';

export interface Difference {
  /** Member names and indices that lead to the difference. */
  readonly path: string;
  readonly wanted: string;
  readonly got: string;
}

/** The first place where two values differ, or `undefined` if they are equal. */
export function firstDifference(wanted: unknown, got: unknown, path = ''): Difference | undefined {
  if (isDeepStrictEqual(wanted, got)) return undefined;
  if (isMembers(wanted) && isMembers(got)) {
    for (const name of new Set([...Object.keys(wanted), ...Object.keys(got)])) {
      const inner = Object.hasOwn(wanted, name) === Object.hasOwn(got, name);
      const found = firstDifference(wanted[name], got[name], `${path}.${name}`);
      if (found !== undefined) return found;
      if (!inner) return { path: `${path}.${name}`, wanted: presence(wanted, name), got: presence(got, name) };
    }
  }
  return { path, wanted: shown(wanted), got: shown(got) };
}

function isMembers(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !(value instanceof Uint8Array);
}

function presence(value: Record<string, unknown>, name: string): string {
  return Object.hasOwn(value, name) ? 'present' : 'absent';
}

function shown(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`;
  if (value instanceof Uint8Array) return `bytes ${Buffer.from(value).toString('hex').slice(0, 80)}`;
  if (value === undefined) return 'undefined';
  const text = JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? `${inner}n` : inner));
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
}

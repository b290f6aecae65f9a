/** Kind of a parsed JSON value for error messages: `a list`, `an object`, `absent`. */
export function jsonKind(json: unknown): string {
  if (json === undefined) return 'absent';
  if (json === null) return 'null';
  if (Array.isArray(json)) return 'a list';
  if (typeof json === 'bigint') return 'a number';
  return typeof json === 'object' ? 'an object' : `a ${typeof json}`;
}

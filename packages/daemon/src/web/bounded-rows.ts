import type { Html } from './html.js';

/** Returns the leading rows that fit into the byte limit, and the number of rows left out. */
export const boundedRows = <T>(
  all: readonly T[],
  row: (one: T) => Html,
  mostBytes: number,
): { readonly rows: readonly Html[]; readonly left: number } => {
  const rows: Html[] = [];
  let bytes = 0;
  for (const one of all) {
    const next = row(one);
    bytes += Buffer.byteLength(next.html);
    if (bytes > mostBytes) break;
    rows.push(next);
  }
  return { rows, left: all.length - rows.length };
};

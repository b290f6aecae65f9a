import { unreadable } from '../words.js';

/** Cells of a row. */
export type Cells = readonly string[];

/** Rows as lines with aligned columns; the first row has the titles. Nothing in a cell can steer a terminal. */
export function textTable(written: readonly Cells[]): string {
  const table = written.map((cells) => cells.map((cell) => cell.replace(unreadable, ' ')));
  const widths = (table[0] ?? []).map((_, at) => Math.max(...table.map((cells) => cells[at]?.length ?? 0)));
  return table
    .map((cells) =>
      cells
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

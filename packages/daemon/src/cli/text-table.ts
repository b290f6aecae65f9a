import { unreadable } from '../words.js';

/** Cells of a row. */
export type Cells = readonly string[];

/**
 * Formats rows as lines with aligned columns; the first row contains the titles. Control characters in cells become spaces, so
 * that no cell can control the terminal.
 */
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

import { escapeInvisible } from '../load/check-path.js';

/** A page of generated documentation. */
export function page(title: string, intro: string, parts: readonly string[]): string {
  return `# ${title}\n\n${intro}\n\n${parts.join('\n\n')}\n`;
}

/** A table; the text of a cell cannot end its row. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => oneLine(cell).replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** A code span for any text: its delimiter is longer than any run of backticks in the text. */
export function code(text: string): string {
  const runs = text.match(/`+/g) ?? [];
  const marks = '`'.repeat(Math.max(0, ...runs.map((run) => run.length)) + 1);
  const isEdge = text.startsWith('`') || text.endsWith('`');
  return isEdge ? `${marks} ${oneLine(text)} ${marks}` : `${marks}${oneLine(text)}${marks}`;
}

function oneLine(text: string): string {
  return escapeInvisible(text.replace(/[\r\n\u2028\u2029]+/g, ' '));
}

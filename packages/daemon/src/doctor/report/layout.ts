/** Width of a report, columns. */
export const columns = 80;

/** Width of the labels of a section. */
export const labelWidth = 11;

/** Colours of a terminal, or none. */
export interface Paint {
  readonly heading: (text: string) => string;
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
}

const ansi =
  (code: number) =>
  (text: string): string =>
    `\u001b[${code}m${text}\u001b[0m`;
const asItIs = (text: string): string => text;

export const colours: Paint = { heading: ansi(1), good: ansi(32), bad: ansi(31) };
export const noColours: Paint = { heading: asItIs, good: asItIs, bad: asItIs };

const escapes = new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, 'g');
const visible = (text: string): number => text.replace(escapes, '').length;

/** Splits a line into words and texts between backticks. */
const words = /(?:`[^`]*`|\S)+/g;

/**
 * Breaks text at spaces so that no line exceeds the width of the report. The first line begins with `head`, the others
 * with as many spaces. A word longer than a line gets its own line.
 */
export const wrapped = (head: string, text: string): readonly string[] => {
  const width = columns - head.length;
  const lines: string[] = [];
  let line = '';
  for (const word of text.match(words) ?? []) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (visible(longer) <= width || line === '') line = longer;
    else {
      lines.push(line);
      line = word;
    }
  }
  const indent = ' '.repeat(head.length);
  return [...lines, line].map((one, index) => `${index === 0 ? head : indent}${one}`);
};

/** Lines `label  text` of one section; rows without a text are left out. */
export const section = (
  title: string,
  rows: readonly (readonly [label: string, text: string | undefined])[],
  paint: Paint,
): readonly string[] => [
  '',
  paint.heading(title),
  ...rows.flatMap(([label, text]) => (text === undefined ? [] : wrapped(`  ${label.padEnd(labelWidth)}`, text))),
];

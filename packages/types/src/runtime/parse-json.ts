/** A whole number outside of texts that has more digits than a number of JavaScript surely holds. */
const longNumber = /(?:^|[[:,\s])-?\d{16}/;
const tokens = /"(?:[^"\\]+|\\.)*"|(?<![\w.+-])-?[1-9]\d{15,}(?![\w.])/g;

/**
 * `JSON.parse` that loses no whole number: those beyond ±(2^53 - 1) come as bigint. The gateway quotes the 64-bit numbers
 * of its messages, but prints those of contracts, and of a few messages, as they are.
 *
 * @throws SyntaxError when the text is no JSON
 */
export function parseJson(text: string): unknown {
  if (!holdsLongNumber(text)) return JSON.parse(text);
  // Nobody who sends a text can know the mark.
  const mark = `${Math.random()} `;
  const marked = text.replace(tokens, (token) =>
    token.startsWith('"') || Number.isSafeInteger(Number(token)) ? token : `"${mark}${token}"`,
  );
  return JSON.parse(marked, (_, value: unknown) =>
    typeof value === 'string' && value.startsWith(mark) ? BigInt(value.slice(mark.length)) : value,
  );
}

/** Whether a text may hold a whole number that `JSON.parse` rounds. */
export function holdsLongNumber(text: string): boolean {
  return longNumber.test(text);
}

/** Compact JSON of what {@link parseJson} gave. */
export function printJson(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return `[${value.map(printJson).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, member]) => `${JSON.stringify(name)}:${printJson(member)}`)
    .join()}}`;
}

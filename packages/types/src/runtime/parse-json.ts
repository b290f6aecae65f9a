import { CodecError } from './codec-error.js';

/** A whole number outside of texts that has more digits than a number of JavaScript surely holds. */
const longNumber = /(?:^|[[:,\s])-?\d{16}/;
/** Up to the digits that a number of JavaScript spans: longer ones are nobody's, and cost seconds to read. */
const tokens = /"(?:[^"\\]+|\\.)*"|(?<![\w.+-])-?[1-9]\d{15,307}(?![\w.])/g;

/**
 * `JSON.parse` that loses no whole number: those beyond ±(2^53 - 1) come as bigint. The gateway quotes the 64-bit numbers
 * of its messages, but prints those of contracts, and of a few messages, as they are.
 *
 * @throws CodecError when the text is no JSON
 */
export function parseJson(text: string): unknown {
  // First, because the expressions below are quick on text that is well-formed, and may never end on other.
  const rounded = jsonOf(text);
  if (!holdsLongNumber(text)) return rounded;
  // Nobody who sends a text can know the mark.
  const mark = `${Math.random()} `;
  const marked = text.replace(tokens, (token) =>
    token.startsWith('"') || Number.isSafeInteger(Number(token)) ? token : `"${mark}${token}"`,
  );
  return JSON.parse(marked, (_, value: unknown) =>
    typeof value === 'string' && value.startsWith(mark) ? BigInt(value.slice(mark.length)) : value,
  );
}

/** `JSON.parse`. @throws CodecError when the text is no JSON */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CodecError(`no JSON: ${(error as SyntaxError).message}`);
  }
}

/** Whether a text may hold a whole number that `JSON.parse` rounds. */
export function holdsLongNumber(text: string): boolean {
  return longNumber.test(text);
}

/**
 * Compact JSON of what {@link parseJson} gave.
 *
 * @throws CodecError for a number that was too large to be read
 */
export function printJson(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new CodecError('a number beyond 10^308 cannot be kept');
  }
  if (Array.isArray(value)) return `[${value.map(printJson).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, member]) => `${JSON.stringify(name)}:${printJson(member)}`)
    .join()}}`;
}

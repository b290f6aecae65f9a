import { CodecError } from './codec-error.js';

/** An integer outside of strings with more digits than a JavaScript number can represent for certain. */
const longNumber = /(?:^|[[:,\s])-?\d{16}/;
/** Up to the maximum digits of a JavaScript number: no client uses longer ones, and they take seconds to parse. */
const tokens = /"(?:[^"\\]+|\\.)*"|(?<![\w.+-])-?[1-9]\d{15,307}(?![\w.])/g;

/**
 * `JSON.parse` without rounding of integers: those beyond ±(2^53 - 1) are returned as bigint. The gateway quotes the
 * 64-bit numbers of its messages, but prints those of contracts and of a few messages bare.
 *
 * @throws CodecError when the text is not JSON
 */
export function parseJson(text: string): unknown {
  // First, because the expressions below are fast on well-formed text, but may never end on other text.
  const rounded = jsonOf(text);
  if (!holdsLongNumber(text)) return rounded;
  // The sender of a text cannot know the mark.
  const mark = `${Math.random()} `;
  const marked = text.replace(tokens, (token) =>
    token.startsWith('"') || Number.isSafeInteger(Number(token)) ? token : `"${mark}${token}"`,
  );
  return JSON.parse(marked, (_, value: unknown) =>
    typeof value === 'string' && value.startsWith(mark) ? BigInt(value.slice(mark.length)) : value,
  );
}

/** `JSON.parse`. @throws CodecError when the text is not JSON */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CodecError(`no JSON: ${(error as SyntaxError).message}`);
  }
}

/** Whether a text may contain an integer that `JSON.parse` rounds. */
export function holdsLongNumber(text: string): boolean {
  return longNumber.test(text);
}

/**
 * Compact JSON of a result of {@link parseJson}.
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

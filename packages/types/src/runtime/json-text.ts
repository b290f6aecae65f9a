import { CodecError } from './codec-error.js';

// eslint-disable-next-line no-control-regex -- control characters are what is looked for
const special = /["\\<>&\u0000-\u001f\u2028\u2029]/g;

const short: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

function escaped(character: string): string {
  return short[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** A JSON string literal as written by the node's encoder: HTML characters and line separators are escaped. */
export function quoteJson(text: string): string {
  return `"${text.replace(special, escaped)}"`;
}

/**
 * Removes white space between JSON values and escapes HTML characters. Numbers and texts keep their spelling, so no
 * number is rounded by a parser.
 */
export function compactJson(text: string): string {
  try {
    JSON.parse(text);
  } catch (error) {
    throw new CodecError(`the bytes hold no JSON: ${(error as Error).message}`);
  }
  return text.replace(/"(?:[^"\\]|\\.)*"|\s+/g, (part) =>
    part.startsWith('"') ? part.replace(/[<>&\u2028\u2029]/g, escaped) : '',
  );
}

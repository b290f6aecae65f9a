/** Maximum nesting of lists and objects in a response; nested messages of a transaction reach about 40. */
const mostDepth = 200;
/** Texts up to this length are parsed in a few milliseconds, regardless of their depth. */
const quickLength = 16_384;

/**
 * Parses JSON from a peer. Every text from outside is parsed here.
 *
 * @param parse parses a text whose nesting was checked; by default `JSON.parse`
 * @throws Error when the text nests too deeply, and anything that `parse` throws
 */
export function parsePeerJson<T = unknown>(text: string, parse: (text: string) => T = JSON.parse): T {
  if (isTooDeep(text)) throw new Error('it nests too deep');
  return parse(text);
}

/**
 * Whether a text nests so deeply that the platform's parser takes 20 times as long as for other texts of its length.
 */
function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let at = text.length > quickLength ? 0 : text.length; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfText(text, at);
    // `[` and `{`, `]` and `}` differ in one bit.
    else if ((code | 0x20) === 0x7b && ++depth > mostDepth) return true;
    else if ((code | 0x20) === 0x7d) depth--;
  }
  return false;
}

const quote = 34;
const backslash = 92;

/** Index of the quote that ends the string starting at an index. */
function endOfText(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  for (; end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end;
    while (text.charCodeAt(before - 1) === backslash) before--;
    if ((end - before) % 2 === 0) return end;
  }
  return text.length;
}

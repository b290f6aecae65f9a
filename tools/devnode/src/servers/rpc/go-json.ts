// The node's JSON output format, and its JSON decoder's error texts for invalid input.

/** Prints JSON like the node: `<`, `>` and `&` are escaped inside strings. */
export function goJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function quoteChar(char: string): string {
  if (char === "'") return `'\\''`;
  if (char === '"') return `'"'`;
  return `'${char}'`;
}

/** Finds the end of the JSON value that starts at `at`, or returns the decoder's error. */
function valueEnd(text: string, at: number): { end: number } | { error: string } {
  const rest = text.slice(at);
  const char = rest[0];
  if (char === undefined) return { error: 'unexpected end of JSON input' };
  const literal = /^(?:true|false|null)/.exec(rest)?.[0];
  if (literal !== undefined) return { end: at + literal.length };
  const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/.exec(rest)?.[0];
  if (number !== undefined) return { end: at + number.length };
  if (char === '"') {
    const string = /^"(?:[^"\\]|\\.)*"/s.exec(rest)?.[0];
    return string === undefined ? { error: 'unexpected end of JSON input' } : { end: at + string.length };
  }
  if (char === '{' || char === '[') {
    let depth = 0;
    let quoted = false;
    for (let i = at; i < text.length; i++) {
      const here = text[i] as string;
      if (quoted) {
        if (here === '\\') i++;
        else if (here === '"') quoted = false;
      } else if (here === '"') quoted = true;
      else if (here === '{' || here === '[') depth++;
      else if ((here === '}' || here === ']') && --depth === 0) return { end: i + 1 };
    }
    return { error: 'unexpected end of JSON input' };
  }
  return { error: `invalid character ${quoteChar(char)} looking for beginning of value` };
}

export interface FirstValue {
  readonly value: unknown;
  /** Text of the value itself. */
  readonly raw: string;
  /** Text after the value. */
  readonly rest: string;
}

/** Reads the first JSON value of a text and returns the rest. @throws Error with the decoder's text. */
export function firstJsonValue(text: string): FirstValue {
  const at = /^[ \t\r\n]*/.exec(text)?.[0].length ?? 0;
  const found = valueEnd(text, at);
  if ('error' in found) throw new Error(found.error);
  const raw = text.slice(at, found.end);
  let value: unknown;
  try {
    value = JSON.parse(raw);
  } catch {
    throw new Error(innerError(raw));
  }
  return { value, raw, rest: text.slice(found.end) };
}

function innerError(raw: string): string {
  const inner = raw.slice(1);
  const at = inner.search(/\S/);
  return `invalid character ${quoteChar(inner[at] ?? raw[0] ?? ' ')} looking for beginning of ${raw[0] === '{' ? 'object key string' : 'value'}`;
}

/** Reads a text that must be a single JSON value. @throws Error with the decoder's text. */
export function wholeJsonValue(text: string): FirstValue {
  const first = firstJsonValue(text);
  const extra = /^[ \t\r\n]*(\S)/.exec(first.rest)?.[1];
  if (extra !== undefined) throw new Error(`invalid character ${quoteChar(extra)} after top-level value`);
  return first;
}

/** Members of a JSON object with their raw texts: the argument decoder operates on the text. */
export function rawMembers(object: string): Map<string, string> {
  const members = new Map<string, string>();
  let rest = object.slice(1).trimStart();
  while (rest !== '' && !rest.startsWith('}')) {
    const key = firstJsonValue(rest);
    const value = firstJsonValue(key.rest.replace(/^\s*:/, ''));
    members.set(key.value as string, value.raw);
    rest = value.rest.replace(/^\s*,/, '').trimStart();
  }
  return members;
}

/** Items of a JSON array with their raw texts. */
export function rawItems(array: string): string[] {
  const items: string[] = [];
  let rest = array.slice(1).trimStart();
  while (rest !== '' && !rest.startsWith(']')) {
    const item = firstJsonValue(rest);
    items.push(item.raw);
    rest = item.rest.replace(/^\s*,/, '').trimStart();
  }
  return items;
}

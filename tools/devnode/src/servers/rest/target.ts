/** Decodes the escapes of a path. A path that is not valid UTF-8 is returned unchanged. */
export function decodePath(path: string): string {
  try {
    // The parser passes bytes; text beyond ASCII is UTF-8.
    return decodeURIComponent(Buffer.from(path, 'latin1').toString());
  } catch {
    return path;
  }
}

/** Removes empty and dotted segments from a path. */
export function cleanPath(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  const tail = path.endsWith('/') && parts.length > 0 ? '/' : '';
  return `/${parts.join('/')}${tail}`;
}

/** Parses the parameters of a query string, in order. @throws Error with the gateway's text. */
export function parseQuery(text: string, into: Map<string, string[]>): void {
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    if (pair.includes(';')) throw new Error('invalid semicolon separator in query');
    const bad = /%(?![0-9a-fA-F]{2}).{0,2}/.exec(pair);
    if (bad !== null) throw new Error(`invalid URL escape ${JSON.stringify(bad[0])}`);
    const [name = '', ...rest] = pair.split('=');
    const decode = (part: string): string => {
      try {
        return decodeURIComponent(part.replaceAll('+', ' '));
      } catch {
        // The node treats escapes that are not UTF-8 as bytes; a text with replacement characters is an approximation.
        return Buffer.from(
          part.replace(/%([0-9a-fA-F]{2})/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
          'latin1',
        ).toString();
      }
    };
    const key = decode(name);
    const values = into.get(key);
    if (values === undefined) into.set(key, [decode(rest.join('='))]);
    else values.push(decode(rest.join('=')));
  }
}

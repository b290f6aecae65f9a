// Decoder for HTTP/2 header blocks, used in comparisons. Node's own client drops a header whose value ends with a
// space, and the recorded node sends such headers. Huffman codes are canonical, so the code lengths of the ASCII
// symbols suffice.

type Pair = readonly [string, string];

const staticTable: readonly Pair[] = (
  ':authority|:method GET|:method POST|:path /|:path /index.html|:scheme http|:scheme https|:status 200|:status 204|' +
  ':status 206|:status 304|:status 400|:status 404|:status 500|accept-charset|accept-encoding gzip, deflate|' +
  'accept-language|accept-ranges|accept|access-control-allow-origin|age|allow|authorization|cache-control|' +
  'content-disposition|content-encoding|content-language|content-length|content-location|content-range|content-type|' +
  'cookie|date|etag|expect|expires|from|host|if-match|if-modified-since|if-none-match|if-range|if-unmodified-since|' +
  'last-modified|link|location|max-forwards|proxy-authenticate|proxy-authorization|range|referer|refresh|retry-after|' +
  'server|set-cookie|strict-transport-security|transfer-encoding|user-agent|vary|via|www-authenticate'
)
  .split('|')
  .map((entry) => {
    const [name = '', ...value] = entry.split(' ');
    return [name, value.join(' ')] as const;
  });

/** Code lengths by symbol, for all symbols with a code of at most 15 bits. */
const lengths: Readonly<Record<number, string>> = {
  5: '012aceiost',
  6: ' %-./3456789=A_bdfghlmnpru',
  7: ':BCDEFGHIJKLMNOPQRSTUVWYjkqvwxyz',
  8: '&*,;XZ',
  10: '!"()?',
  11: "'+|",
  12: '#>',
  13: '\0$@[]~',
  14: '^}',
  15: '<`{',
};

const symbols = new Map<string, string>();
let code = 0;
for (let length = 5; length <= 15; length++) {
  for (const symbol of Array.from(lengths[length] ?? '').sort()) {
    symbols.set(code.toString(2).padStart(length, '0'), symbol);
    code++;
  }
  code <<= 1;
}

function unpack(bytes: Uint8Array): string {
  let bits = '';
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0');
  let text = '';
  let at = 0;
  while (at < bits.length) {
    let end = at + 5;
    while (end <= at + 15 && !symbols.has(bits.slice(at, end))) end++;
    const symbol = symbols.get(bits.slice(at, end));
    if (symbol === undefined || end > bits.length) {
      // The remaining bits are the padding of ones.
      if (!/^1{0,7}$/.test(bits.slice(at))) throw new Error('a header holds a symbol beyond ASCII');
      return text;
    }
    text += symbol;
    at = end;
  }
  return text;
}

/** Decoder for one direction of a connection; its dynamic table lives as long as the decoder. */
export class HpackDecoder {
  #dynamic: Pair[] = [];

  decode(block: Uint8Array): Pair[] {
    const pairs: Pair[] = [];
    let at = 0;
    const integer = (prefixBits: number): number => {
      const max = 2 ** prefixBits - 1;
      let value = (block[at++] as number) & max;
      if (value < max) return value;
      for (let shift = 0; ; shift += 7) {
        const byte = block[at++] as number;
        value += (byte & 0x7f) * 2 ** shift;
        if (byte < 128) return value;
      }
    };
    const text = (): string => {
      const huffman = ((block[at] as number) & 0x80) !== 0;
      const length = integer(7);
      const bytes = block.subarray(at, at + length);
      at += length;
      return huffman ? unpack(bytes) : Buffer.from(bytes).toString('latin1');
    };
    const entry = (index: number): Pair => {
      const found = staticTable[index - 1] ?? this.#dynamic[index - 1 - staticTable.length];
      if (found === undefined) throw new Error(`a header block names entry ${index}, which is not there`);
      return found;
    };
    while (at < block.length) {
      const first = block[at] as number;
      if (first & 0x80) {
        pairs.push(entry(integer(7)));
      } else if ((first & 0xe0) === 0x20) {
        const size = integer(5);
        if (size === 0) this.#dynamic = [];
      } else {
        const indexed = (first & 0xc0) === 0x40;
        const index = integer(indexed ? 6 : 4);
        const name = index === 0 ? text() : entry(index)[0];
        const pair: Pair = [name, text()];
        pairs.push(pair);
        if (indexed) this.#dynamic.unshift(pair);
      }
    }
    return pairs;
  }
}

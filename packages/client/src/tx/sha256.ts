// WebCrypto is asynchronous and missing on pages without TLS, and the hash of a transaction must be there whatever happens.

const initial = [
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
] as const;
const rounds = roundConstants();

/** SHA-256 (FIPS 180-4) of bytes. */
export function sha256(bytes: Uint8Array): Uint8Array {
  const state = Uint32Array.from(initial);
  const words = new Uint32Array(64);
  const padded = pad(bytes);
  for (let start = 0; start < padded.byteLength; start += 64) {
    for (let at = 0; at < 16; at++) words[at] = padded.getUint32(start + 4 * at);
    compress(state, words);
  }
  const hash = new Uint8Array(32);
  const view = new DataView(hash.buffer);
  for (const [at, word] of state.entries()) view.setUint32(4 * at, word);
  return hash;
}

/** The message, one set bit, zeros up to whole blocks, and its length in bits. */
function pad(bytes: Uint8Array): DataView {
  const padded = new Uint8Array(64 * Math.ceil((bytes.length + 9) / 64));
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, BigInt(bytes.length) * 8n);
  return view;
}

function compress(state: Uint32Array, words: Uint32Array): void {
  const word = (at: number): number => words[at] as number;
  for (let at = 16; at < 64; at++) {
    const [early, late] = [word(at - 15), word(at - 2)];
    const low = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3);
    const high = turn(late, 17) ^ turn(late, 19) ^ (late >>> 10);
    words[at] = word(at - 16) + low + word(at - 7) + high;
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
  for (let at = 0; at < 64; at++) {
    const choice = (e & f) ^ (~e & g);
    const first = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + choice + (rounds[at] as number) + word(at)) | 0;
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const second = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + majority) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  for (const [at, value] of [a, b, c, d, e, f, g, h].entries()) state[at] = (state[at] as number) + value;
}

function turn(value: number, by: number): number {
  return (value >>> by) | (value << (32 - by));
}

/** The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
function roundConstants(): readonly number[] {
  const primes: number[] = [];
  for (let number = 2; primes.length < 64; number++) {
    if (primes.every((prime) => number % prime !== 0)) primes.push(number);
  }
  return primes.map((prime) => ((Math.cbrt(prime) % 1) * 2 ** 32) | 0);
}

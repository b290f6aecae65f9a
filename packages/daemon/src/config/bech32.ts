const alphabet = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const generator = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];

/** Text of a checksummed address, split: prefix and the 5-bit words of its bytes. */
interface Bech32 {
  readonly prefix: string;
  readonly words: readonly number[];
}

const checksum = (values: readonly number[]): number => {
  let sum = 1;
  for (const value of values) {
    const top = sum >>> 25;
    sum = ((sum & 0x1ffffff) << 5) ^ value;
    for (let bit = 0; bit < 5; bit += 1) if (((top >>> bit) & 1) === 1) sum ^= generator[bit] ?? 0;
  }
  return sum >>> 0;
};

const expandPrefix = (prefix: string): number[] => {
  const codes = Array.from(prefix, (letter) => letter.charCodeAt(0));
  return [...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31)];
};

/** Splits an address, or says in a few words what is wrong with it. */
export const parseBech32 = (text: string): Bech32 | string => {
  if (text !== text.toLowerCase()) return 'has capital letters';
  const separator = text.lastIndexOf('1');
  if (separator < 1) return 'has no `1` between prefix and data';
  const words = Array.from(text.slice(separator + 1), (letter) => alphabet.indexOf(letter));
  if (words.includes(-1)) return 'has a character that no address has';
  if (words.length < 7) return 'is too short';
  const prefix = text.slice(0, separator);
  if (checksum([...expandPrefix(prefix), ...words]) !== 1) return 'has a wrong checksum (a typing error?)';
  return { prefix, words: words.slice(0, -6) };
};

/** The same bytes under another prefix: a key's account, node and provider addresses differ in nothing else. */
export const withPrefix = (address: Bech32, prefix: string): string => {
  const sum = checksum([...expandPrefix(prefix), ...address.words, 0, 0, 0, 0, 0, 0]) ^ 1;
  const tail = [0, 1, 2, 3, 4, 5].map((index) => (sum >>> (5 * (5 - index))) & 31);
  return `${prefix}1${[...address.words, ...tail].map((word) => alphabet[word]).join('')}`;
};

import { HubError } from '../error.js';

const alphabet = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const generator = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3] as const;

/** Longest text that the checksum was made for. */
const maxLength = 90;

/** An address: a prefix that says whose kind it is, and the bytes of the key's hash. */
export interface Address {
  readonly prefix: string;
  readonly bytes: Uint8Array;
}

/**
 * Reads an address in bech32.
 *
 * @throws HubError `invalid_argument` with what is wrong with it
 * @source BIP 173
 */
export function readAddress(text: string): Address {
  const fault = (what: string): HubError =>
    new HubError({ code: 'invalid_argument', message: `address ${JSON.stringify(text)}: ${what}` });
  if (text.length > maxLength) throw fault(`${text.length} characters; at most ${maxLength} are allowed`);
  const lower = text.toLowerCase();
  if (text !== lower && text !== text.toUpperCase()) throw fault('capitals and small letters are mixed');
  const at = lower.lastIndexOf('1');
  const [prefix, data] = [lower.slice(0, at), lower.slice(at + 1)];
  if (at < 1 || data.length < 6) throw fault('a prefix, the digit 1 and at least six more characters are expected');
  if (/[^\x21-\x7e]/.test(prefix)) throw fault('the prefix holds a character that is not allowed');
  const words = Array.from(data, (letter) => alphabet.indexOf(letter));
  if (words.includes(-1)) throw fault(`${JSON.stringify(data[words.indexOf(-1)])} is no letter of an address`);
  if (checksum([...expand(prefix), ...words]) !== 1) throw fault('the checksum is wrong; look for a typing error');
  const bytes = regroup(words.slice(0, -6), 5, 8);
  if (bytes === undefined) throw fault('it does not end at a whole byte');
  return { prefix, bytes: Uint8Array.from(bytes) };
}

/**
 * Writes an address in bech32.
 *
 * @throws HubError `invalid_argument` for a prefix that is none, and bytes that are too many
 */
export function writeAddress({ prefix, bytes }: Address): string {
  if (!/^[\x21-\x40\x5b-\x7e]+$/.test(prefix)) {
    throw new HubError({
      code: 'invalid_argument',
      message: `address prefix ${JSON.stringify(prefix)}: small letters are expected`,
    });
  }
  const words = regroup([...bytes], 8, 5, true) ?? [];
  const sum = checksum([...expand(prefix), ...words, 0, 0, 0, 0, 0, 0]) ^ 1;
  const check = Array.from({ length: 6 }, (_, place) => (sum >> (5 * (5 - place))) & 31);
  const text = `${prefix}1${[...words, ...check].map((word) => alphabet[word]).join('')}`;
  if (text.length > maxLength) {
    throw new HubError({
      code: 'invalid_argument',
      message: `address of ${bytes.length} bytes: it would be longer than ${maxLength} characters`,
    });
  }
  return text;
}

function expand(prefix: string): number[] {
  const codes = Array.from(prefix, (letter) => letter.charCodeAt(0));
  return [...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31)];
}

function checksum(words: readonly number[]): number {
  let sum = 1;
  for (const word of words) {
    const top = sum >>> 25;
    sum = ((sum & 0x1ffffff) << 5) ^ word;
    for (const [bit, value] of generator.entries()) if ((top >>> bit) & 1) sum ^= value;
  }
  return sum >>> 0;
}

/** The same bits in groups of another size; `undefined` when bits that are not zero would be left over. */
function regroup(words: readonly number[], from: number, to: number, pad = false): number[] | undefined {
  const groups: number[] = [];
  let held = 0;
  let bits = 0;
  for (const word of words) {
    held = ((held << from) | word) & 0xfff;
    bits += from;
    while (bits >= to) {
      bits -= to;
      groups.push((held >> bits) & ((1 << to) - 1));
    }
  }
  if (pad) return bits === 0 ? groups : [...groups, (held << (to - bits)) & ((1 << to) - 1)];
  return bits < from && (held & ((1 << bits) - 1)) === 0 ? groups : undefined;
}

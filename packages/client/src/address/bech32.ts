import { bech32 } from '@scure/base';
import { HubError } from '../error.js';

/** Longest text that the checksum is designed for. */
const maxLength = 90;

/** An address: the bytes of a key's hash, and a prefix that names the kind of the owner. */
export interface Address {
  /** In lower case, without the separator `1`. */
  readonly prefix: string;
  readonly bytes: Uint8Array;
}

/**
 * Reads an address in bech32.
 *
 * @throws HubError `invalid_argument` with the reason
 * @source BIP 173
 */
export function readAddress(text: string): Address {
  const fault = (what: string, cause?: unknown): HubError =>
    new HubError({ code: 'invalid_argument', message: `address ${JSON.stringify(text)}: ${what}`, cause });
  if (text.length > maxLength) throw fault(`${text.length} characters; at most ${maxLength} are allowed`);
  const lower = text.toLowerCase();
  if (text !== lower && text !== text.toUpperCase()) throw fault('capitals and small letters are mixed');
  const [, name = '', data = ''] = /^(.+)1([^1]*)$/.exec(lower) ?? [];
  if (name === '' || data.length < 6)
    throw fault('a prefix, the digit 1 and at least six more characters are expected');
  if (/[^\x21-\x7e]/.test(name)) throw fault('the prefix holds a character that is not allowed');
  const foreign = /[^qpzry9x8gf2tvdw0s3jn54khce6mua7l]/u.exec(data)?.[0];
  if (foreign !== undefined) throw fault(`${JSON.stringify(foreign)} is no letter of an address`);
  let decoded: ReturnType<typeof bech32.decode>;
  try {
    decoded = bech32.decode(lower as `${string}1${string}`, maxLength);
  } catch (error) {
    throw fault('the checksum is wrong; look for a typing error', error);
  }
  const { prefix, words } = decoded;
  const bytes = bech32.fromWordsUnsafe(words);
  if (bytes === undefined) throw fault('it does not end at a whole byte');
  return { prefix, bytes };
}

/**
 * Writes an address in bech32.
 *
 * @throws HubError `invalid_argument` for an invalid prefix or too many bytes
 */
export function writeAddress({ prefix, bytes }: Address): string {
  if (!/^[\x21-\x40\x5b-\x7e]+$/.test(prefix)) {
    throw new HubError({
      code: 'invalid_argument',
      message: `address prefix ${JSON.stringify(prefix)}: small letters are expected`,
    });
  }
  const text = bech32.encode(prefix, bech32.toWords(bytes), false);
  if (text.length > maxLength) {
    throw new HubError({
      code: 'invalid_argument',
      message: `address of ${bytes.length} bytes: it would be longer than ${maxLength} characters`,
    });
  }
  return text;
}

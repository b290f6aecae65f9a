import { decodeBech32, encodeBech32 } from './bech32.js';
import { invalidAddress } from './query-error.js';

export const accountPrefix = 'sent';
export const nodePrefix = 'sentnode';
export const providerPrefix = 'sentprov';

export interface Address {
  readonly bytes: Buffer;
  /** Lower case, as in state records. */
  readonly text: string;
}

/**
 * Parses an address from a request. Surrounding white space is accepted for nodes and providers, but not for accounts.
 *
 * @throws QueryError 3 if it is empty, malformed or of another kind.
 */
export function readAddress(input: string, prefix: string): Address {
  const bytes = decodeBech32(prefix === accountPrefix ? input : input.trim(), prefix);
  if (bytes === undefined || bytes.length === 0) throw invalidAddress(input);
  return { bytes, text: encodeBech32(prefix, bytes) };
}

/** Decodes the bytes of an address stored in a record. */
export function addressBytes(text: string): Buffer {
  return decodeBech32(text, text.slice(0, text.lastIndexOf('1'))) ?? Buffer.from(text);
}

/** Account address for the same key as a node or provider address. */
export function accountOf(address: string): string {
  return encodeBech32(accountPrefix, addressBytes(address));
}

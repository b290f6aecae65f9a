import { bech32 } from '@scure/base';

/** Decodes a bech32 address. Returns undefined if it is malformed or has another prefix. Upper case is accepted. */
export function decodeBech32(address: string, prefix: string): Buffer | undefined {
  const decoded = bech32.decodeUnsafe(address, false);
  if (decoded?.prefix !== prefix) return undefined;
  const bytes = bech32.fromWordsUnsafe(decoded.words);
  return bytes instanceof Uint8Array ? Buffer.from(bytes) : undefined;
}

export function encodeBech32(prefix: string, bytes: Uint8Array): string {
  return bech32.encode(prefix, bech32.toWords(bytes), false);
}

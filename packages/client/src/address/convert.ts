import { readAddress, writeAddress } from './bech32.js';

/** Suffix that each kind of address adds to the prefix of the account. */
const kinds = { account: '', node: 'node', provider: 'prov', validator: 'valoper' } as const;

export type AddressKind = keyof typeof kinds;

/**
 * Writes the same key under another prefix.
 *
 * @param prefix such as `sent`, `sentnode` or `sentprov`
 * @throws HubError `invalid_argument` for an invalid address or prefix
 */
export function withPrefix(address: string, prefix: string): string {
  return writeAddress({ ...readAddress(address), prefix });
}

/**
 * Converts the address of an account, node, provider or validator to another kind. All four share the bytes of one key:
 * transactions of a node or provider are signed by its account.
 *
 * @throws HubError `invalid_argument` for an invalid address
 */
export function convertAddress(address: string, kind: AddressKind): string {
  const { prefix, bytes } = readAddress(address);
  const base = prefix.replace(/(?:node|prov|valoper)$/, '');
  // A prefix that equals the name of a kind is used unchanged.
  return writeAddress({ prefix: (base === '' ? prefix : base) + kinds[kind], bytes });
}

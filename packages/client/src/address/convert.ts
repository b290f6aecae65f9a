import { readAddress, writeAddress } from './bech32.js';

/** What stands behind the prefix of an account in the other addresses of its key. */
const kinds = { account: '', node: 'node', provider: 'prov', validator: 'valoper' } as const;

export type AddressKind = keyof typeof kinds;

/**
 * The same key under another prefix.
 *
 * @param prefix such as `sent`, `sentnode` or `sentprov`
 * @throws HubError `invalid_argument` for an address or a prefix that is none
 */
export function withPrefix(address: string, prefix: string): string {
  return writeAddress({ ...readAddress(address), prefix });
}

/**
 * The address of an account, node, provider or validator as that of another kind: all four share the bytes of one key. What
 * a node or provider signs is signed by its account.
 *
 * @throws HubError `invalid_argument` for an address that is none
 */
export function convertAddress(address: string, kind: AddressKind): string {
  const { prefix, bytes } = readAddress(address);
  const base = prefix.replace(/(?:node|prov|valoper)$/, '');
  // A prefix that is nothing but the name of a kind stands for itself.
  return writeAddress({ prefix: (base === '' ? prefix : base) + kinds[kind], bytes });
}

import { convertAddress } from '@hubwatch/client/address';
import type { Entry } from './entry.js';

/**
 * Names the watched node or provider that a fee was paid for: its key is that of the account that paid. A fee that somebody
 * else paid for a node is told by the transaction itself.
 * @param addresses that are watched
 */
export const feeOwners = (addresses: readonly string[]): ((entry: Entry) => Entry) => {
  const of = (prefix: string): ReadonlyMap<string, string> =>
    new Map(addresses.filter((one) => one.startsWith(prefix)).map((one) => [convertAddress(one, 'account'), one]));
  const [nodes, providers] = [of('sentnode1'), of('sentprov1')];
  return (entry) => {
    if (entry.kind !== 'fee_paid') return entry;
    const { account } = entry;
    return { ...entry, node: entry.node || (nodes.get(account) ?? ''), provider: providers.get(account) ?? '' };
  };
};

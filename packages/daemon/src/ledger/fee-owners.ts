import { convertAddress } from '@hubwatch/client/address';
import type { Entry } from './entry.js';

/**
 * Assigns a fee to the watched node or provider with the same key as the account that paid. If a different account paid
 * for a node, the transaction itself names the node.
 * @param addresses watched addresses
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

import type { BlockResultsResult, RpcResult } from '@hubwatch/client/rpc';

type Event = BlockResultsResult['beginBlockEvents'][number];

/** Accounts whose money or fee grants a block changed. Values of these events are plain texts. */
export interface Touched {
  /** By transactions and by what the chain took at the begin or end of the block. */
  readonly balances: ReadonlySet<string>;
  /** Grantees of fee grants that were given, used or revoked. */
  readonly grants: ReadonlySet<string>;
}

/** What the chain pays out by itself makes nobody poorer, and every paid hour would have an account read again. */
const chainSpends: ReadonlyMap<string, string> = new Map([['coin_spent', 'spender']]);
const anyMovement: ReadonlyMap<string, string> = new Map([...chainSpends, ['coin_received', 'receiver']]);
const grantChanges: ReadonlyMap<string, string> = new Map([
  ['set_feegrant', 'grantee'],
  ['use_feegrant', 'grantee'],
  ['revoke_feegrant', 'grantee'],
]);

/** Accounts that the events of a block name, of those that are of interest. */
export const touchedAccounts = (
  block: RpcResult<'block_results'>,
  isOfInterest: (account: string) => boolean,
): Touched => {
  const ofTxs = block.txsResults.flatMap(({ events }) => events);
  const ofBlock = [...block.beginBlockEvents, ...block.endBlockEvents, ...block.finalizeBlockEvents];
  const of = (events: readonly Event[], types: ReadonlyMap<string, string>): readonly string[] =>
    events.flatMap(({ type, attributes }) => {
      const key = types.get(type);
      const account = key === undefined ? undefined : attributes.find((one) => one.key === key)?.value;
      return account !== undefined && isOfInterest(account) ? [account] : [];
    });
  return {
    balances: new Set([...of(ofTxs, anyMovement), ...of(ofBlock, chainSpends)]),
    grants: new Set(of([...ofTxs, ...ofBlock], grantChanges)),
  };
};

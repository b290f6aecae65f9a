import type { BlockResultsResult, RpcResult } from '@hubwatch/client/rpc';

type Event = BlockResultsResult['beginBlockEvents'][number];

/** Accounts whose balance or fee grants a block changed. Values of these events are plain text. */
export interface Touched {
  /** Changed by transactions or by payments that the chain collected at the begin or end of the block. */
  readonly balances: ReadonlySet<string>;
  /** Grantees of fee grants that were created, used or revoked. */
  readonly grants: ReadonlySet<string>;
}

/**
 * Only spending counts. Payouts by the chain reduce no balance, and each paid hour would trigger a read of an account.
 */
const chainSpends: ReadonlyMap<string, string> = new Map([['coin_spent', 'spender']]);
const anyMovement: ReadonlyMap<string, string> = new Map([...chainSpends, ['coin_received', 'receiver']]);
const grantChanges: ReadonlyMap<string, string> = new Map([
  ['set_feegrant', 'grantee'],
  ['use_feegrant', 'grantee'],
  ['revoke_feegrant', 'grantee'],
]);

/** Watched accounts named in the events of a block. */
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

import { createLedgerStore, hubEntries, openStore } from '@hubwatch/daemon/parts';
import type { RecordedEvent } from '@hubwatch/devnode/chain';
import { leaseEnds } from './lease-end-truth.js';
import type { RandomSource } from './random-source.js';
import type { Step } from './recorded-chain.js';

/** Ledgers that begin in the midst of a chain, whose leases began before they did. */
const begins = 5;

/**
 * What such ledgers say of the ends of leases, beside the truth. Whether a lease was to renew cannot be known of one whose start
 * was not kept; whether its term was over can.
 * @returns a problem, or none, for each end
 */
export function lateLedgers(
  all: Iterable<Step>,
  { first, last }: { readonly first: number; readonly last: number },
  random: RandomSource,
): readonly (string | undefined)[] {
  const stores = Array.from({ length: begins }, () => {
    const store = openStore(':memory:');
    return { begin: first + random.below(last - first), store, ledger: createLedgerStore(store) };
  });
  const problems: (string | undefined)[] = [];
  for (const step of all) {
    const { height, time } = step.block;
    const entries = hubEntries(resultsOf(step) as never);
    const truth = leaseEnds(step).filter(({ end }) => end !== 'renewed');
    for (const { begin, ledger } of stores) {
      if (height < begin) continue;
      ledger.add(BigInt(height), entries, Math.floor(Date.parse(time)));
      if (truth.length === 0) continue;
      const told = ledger.rows({ kinds: ['lease_ended'] }).filter((row) => row.height === BigInt(height));
      for (const { lease, end } of truth) {
        const said = told.find(({ record }) => record === lease)?.detail;
        const isRight = said === end || (said === 'term' && end === 'renewal_failed');
        problems.push(
          isRight ? undefined : `lease ${lease} at ${height}, ledger from ${begin}: said ${said}, the chain ${end}`,
        );
      }
    }
  }
  for (const { store } of stores) store.close();
  return problems;
}

/** Results of a block as an endpoint gives them. */
function resultsOf({ block }: Step): unknown {
  const events = (recorded: readonly RecordedEvent[]): unknown[] =>
    recorded.map(({ type, attributes }) => ({
      type,
      attributes: attributes.map(([key, value]) => ({ key, value, index: true })),
    }));
  return {
    height: BigInt(block.height),
    beginBlockEvents: events(block.begin_block),
    endBlockEvents: events(block.end_block),
    finalizeBlockEvents: [],
    txsResults: block.txs.map((tx) => ({ code: tx.code, events: events(tx.events) })),
  };
}

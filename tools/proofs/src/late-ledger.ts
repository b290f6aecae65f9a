import { createLeaseRecords, createLedgerStore, hubEntries, noteLeases, openStore } from '@hubwatch/daemon/parts';
import type { RecordedEvent } from '@hubwatch/devnode/chain';
import { leaseEnds } from './lease-end-truth.js';
import type { RandomSource } from './random-source.js';
import { Lease } from '@hubwatch/types/gen/forms/hub/lease/v1/lease';
import { formsOf, type Step } from './recorded-chain.js';

/** Number of ledgers that start in the middle of a chain, after the leases have started. */
const begins = 6;

/**
 * Compares the lease ends in such ledgers with the truth. Half of the ledgers read the existing lease records at their
 * start, so they must know every reason. Without the records, a ledger cannot know that a lease was to be renewed, only
 * whether its term was over.
 * @returns a problem, or undefined, for each end
 */
export function lateLedgers(
  all: Iterable<Step>,
  { first, last }: { readonly first: number; readonly last: number },
  random: RandomSource,
): readonly (string | undefined)[] {
  const stores = Array.from({ length: begins }, (_, index) => {
    const store = openStore(':memory:');
    return {
      begin: first + random.below(last - first),
      store,
      ledger: createLedgerStore(store),
      leaseRecords: index % 2 === 0 ? createLeaseRecords(store) : undefined,
    };
  });
  const problems: (string | undefined)[] = [];
  for (const step of all) {
    const { height, time } = step.block;
    const entries = hubEntries(resultsOf(step) as never);
    const truth = leaseEnds(step).filter(({ end }) => end !== 'renewed');
    for (const { begin, ledger, leaseRecords } of stores) {
      if (height < begin) continue;
      if (height === begin) noteLeases({ leaseRecords }, formsOf(Lease, step.before.leases), BigInt(height - 1));
      ledger.add(BigInt(height), entries, Math.floor(Date.parse(time)));
      if (truth.length === 0) continue;
      const told = ledger.rows({ kinds: ['lease_ended'] }).filter((row) => row.height === BigInt(height));
      for (const { lease, end } of truth) {
        const said = told.find(({ record }) => record === lease)?.detail;
        const isUnknown = leaseRecords === undefined && said === 'term' && end === 'renewal_failed';
        const isRight = said === end || isUnknown;
        problems.push(
          isRight ? undefined : `lease ${lease} at ${height}, ledger from ${begin}: said ${said}, the chain ${end}`,
        );
      }
    }
  }
  for (const { store } of stores) store.close();
  return problems;
}

/** Results of a block in an endpoint's format. */
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

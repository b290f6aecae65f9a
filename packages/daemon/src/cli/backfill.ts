import { systemClock } from '@hubwatch/client';
import type { Config } from '../config/schema.js';
import { connectTo } from '../endpoints/connection.js';
import { backfill, type BackfillSummary } from '../ledger/backfill.js';
import { createLedgerStore } from '../ledger/ledger-store.js';
import { watchedList } from '../ledger/ledger.js';
import { backfillSources } from '../ledger/refill.js';
import type { Store } from '../store/store.js';
import { UsageError } from './usage-error.js';
import { withStore } from './with-store.js';

/** Arguments of `hubwatch ledger backfill`, as on the command line. */
export interface BackfillArguments {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly limit?: string | undefined;
}

const defaultLimit = 50_000;

/**
 * Fills the ledger with entries from before the daemon watched; the daemon may be running. Returns the text to print.
 *
 * @throws UsageError if an argument is invalid
 */
export const ledgerBackfill = async (
  config: Config,
  args: BackfillArguments,
  signal: AbortSignal,
  say: (line: string) => void,
): Promise<{ readonly text: string; readonly isFailure: boolean }> => {
  const [from, to] = [heightOf('--from', args.from), heightOf('--to', args.to)];
  if (from !== undefined && to !== undefined && to < from) throw new UsageError(`--to ${to} is below --from ${from}`);
  const limit = Number(heightOf('--limit', args.limit) ?? defaultLimit);
  const connections = config.endpoints.map((endpoint) => ({
    endpoint,
    connection: connectTo(endpoint, config.poll.timeout),
  }));
  const sources = backfillSources(connections);
  try {
    const fill = async (store: Store): Promise<{ readonly text: string; readonly isFailure: boolean }> => {
      const summary = await backfill({
        store: createLedgerStore(store, { maxRows: config.store.ledger_rows }),
        sources,
        addresses: watchedList(config),
        from,
        to,
        limit,
        clock: systemClock,
        signal,
        chainId: config.network.chain_id,
        onWindow: (first, last, blocks) => say(`blocks ${first} to ${last} searched, ${blocks} read`),
      });
      return { text: summaryText(summary), isFailure: summary.isFailure };
    };
    return await withStore(config, fill, { creates: true });
  } finally {
    await Promise.all(connections.map(({ connection }) => connection.close()));
  }
};

const summaryText = ({ searched, blocks, rows, gaps, stopped }: BackfillSummary): string =>
  [
    searched === undefined
      ? 'Nothing was searched.'
      : `Searched blocks ${searched.first} to ${searched.last}: ${blocks} read, ${rows} entries added.`,
    ...gaps.map(
      ({ first, last }) => `No endpoint holds ${first === last ? `block ${first}` : `blocks ${first} to ${last}`}.`,
    ),
    stopped === undefined
      ? 'Done; what was searched is as complete as the index of the endpoint.'
      : `Stopped before the end: ${stopped}. Run it again to continue.`,
    '',
  ].join('\n');

const heightOf = (option: string, text: string | undefined): bigint | undefined => {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,14}$/.test(text))
    throw new UsageError(`${option}: ${JSON.stringify(text)}; allowed: a whole number from 1`);
  return BigInt(text);
};

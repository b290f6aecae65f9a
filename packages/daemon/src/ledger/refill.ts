import type { Clock } from '@hubwatch/client';
import type { Config } from '../config/schema.js';
import type { EndpointConnection } from '../endpoints/endpoint.js';
import type { Logger } from '../log.js';
import type { Job } from '../schedule/interval-job.js';
import type { KeptStore } from '../store/kept-store.js';
import { backfill, type BackfillSource } from './backfill.js';
import type { LedgerStore } from './ledger-store.js';

const everyMs = 60_000;
/** Blocks read in one round, limited so that shutdown and other requests are not delayed. */
const blocksPerRound = 2_000;
/** The operator's own node allows a higher rate than third-party nodes. */
const requestsPerSecond = { own: 20, reference: 5, archive: 5 } as const;

/** Endpoints whose consensus RPC can be searched, with the request rate of each. */
export const backfillSources = (
  endpoints: readonly { readonly endpoint: Config['endpoints'][number]; readonly connection: EndpointConnection }[],
): readonly BackfillSource[] =>
  endpoints.flatMap(({ endpoint: { name, role }, connection: { rpc, naming } }) =>
    rpc === undefined || naming === undefined
      ? []
      : [{ name, rpc, naming, requestsPerSecond: requestsPerSecond[role] }],
  );

export interface RefillParts {
  readonly store: Pick<KeptStore, 'isRefilling' | 'refilled'>;
  readonly ledger: LedgerStore;
  readonly sources: readonly BackfillSource[];
  readonly addresses: readonly string[];
  readonly chainId: string | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Restores ledger entries that were lost with a damaged store, as far back as endpoints have blocks. */
export const refillJob = ({ store, ledger, sources, addresses, chainId, clock, logger }: RefillParts): Job => ({
  name: 'refill',
  everyMs,
  async run(signal) {
    if (!store.isRefilling()) return;
    const hasNothing = sources.length === 0 || addresses.length === 0;
    // Without a position the ledger has not restarted yet, and there is no height to fill downwards from.
    if (!hasNothing && ledger.position() === undefined) return;
    const options = { store: ledger, sources, addresses, chainId, clock, signal, limit: blocksPerRound };
    const summary = hasNothing ? undefined : await backfill(options);
    if (signal.aborted || summary?.isFailure === true) return;
    if (summary?.stopped !== undefined && !ledger.isFull()) return;
    store.refilled();
    logger.info({ blocks: summary?.blocks ?? 0 }, 'ledger: lost entries read again');
  },
});

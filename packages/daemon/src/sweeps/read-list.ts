import { HubError, pages, type Transport } from '@hubwatch/client';
import { turn } from '../turn.js';
import { createSums, type SumTable } from './sums.js';
import type { ListSweep, SweepMoment } from './sweep.js';

/** Maximum number of pages; no list of this chain is longer. */
const maxPages = 20_000;

/** Sums of a complete list at one height. */
export interface ListCount {
  readonly height: bigint;
  readonly records: number;
  readonly sums: SumTable;
}

export interface ListPlace {
  /** Height at which every page is read; by default the height of the first response. */
  readonly height: bigint | undefined;
  readonly pageSize: number;
  readonly signal: AbortSignal;
}

/**
 * Reads a list to its end, one page at a time, and stores only sums.
 *
 * @throws HubError from the read, and also if the pages have different heights or do not end
 */
export const readList = async (
  transport: Transport<'grpc'>,
  sweep: ListSweep,
  momentOf: (height: bigint) => Promise<SweepMoment>,
  { height, pageSize, signal }: ListPlace,
): Promise<ListCount> => {
  const sums = createSums();
  let records = 0;
  const walk = pages(transport, sweep.method, {} as never, { height, pageSize, maxPages, signal });
  let moment: SweepMoment | undefined;
  for await (const { items, height: answered } of walk) {
    // Without a height the pages cannot be assigned to one state.
    if (answered === undefined) break;
    moment ??= await momentOf(answered);
    // Requests the next page before this one is counted, so that both run concurrently.
    await turn();
    for (const item of items) sweep.add(item, sums, moment);
    records += items.length;
  }
  const { extent } = walk;
  if (extent?.kind === 'complete' && extent.height !== undefined && (height ?? extent.height) === extent.height)
    return { height: extent.height, records, sums: sums.table() };
  const found = extent?.kind === 'possibly_truncated' ? extent.reason : 'its pages are not of one height';
  throw new HubError({ code: 'decode', message: `the list of ${sweep.collection} cannot be counted: ${found}` });
};

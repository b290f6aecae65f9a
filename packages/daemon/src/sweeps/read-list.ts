import { HubError, pages, type Transport } from '@hubwatch/client';
import { turn } from '../turn.js';
import { createSums, type SumTable } from './sums.js';
import type { ListSweep, SweepMoment } from './sweep.js';

/** A list longer than this many pages is none of this chain's. */
const maxPages = 20_000;

/** A whole list, counted at one height. */
export interface ListCount {
  readonly height: bigint;
  readonly records: number;
  readonly sums: SumTable;
}

export interface ListPlace {
  /** Height that every page is read at; that of the first answer when absent. */
  readonly height: bigint | undefined;
  readonly pageSize: number;
  readonly signal: AbortSignal;
}

/**
 * Reads a list to its end, one page at a time, and keeps nothing of it but sums.
 *
 * @throws HubError of the read; also when the pages are not all of the one height, or do not end: that would not be the list
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
    // Without a height there is no state that this could be the list of.
    if (answered === undefined) break;
    moment ??= await momentOf(answered);
    // So that the next page is asked for before this one is counted, and the two take their time together.
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

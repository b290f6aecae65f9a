import { HubError } from '@hubwatch/client';
import type { RpcResult } from '@hubwatch/client/rpc';
import type { Endpoint } from '../../endpoints/endpoint.js';
import type { BlockHead } from '../../endpoints/head.js';
import type { Change } from '../../store/change-history.js';
import { msOf } from '../times.js';

/** Cost of one heartbeat and the account that paid it. */
export interface HeartbeatFee {
  readonly amount: bigint;
  readonly denom: string;
  /** Account that paid: the node's own account or a fee granter. */
  readonly payer: string;
}

type Events = RpcResult<'block_results'>['txsResults'][number]['events'];

const attribute = (event: Events[number], key: string): string | undefined =>
  event.attributes.find((one) => one.key === key)?.value ?? undefined;

const coinOf = (text: string): { readonly amount: bigint; readonly denom: string } | undefined => {
  const [, amount, denom] = /^(\d{1,60})([a-zA-Z][a-zA-Z0-9/:._-]{2,127})$/.exec(text) ?? [];
  return amount === undefined || denom === undefined ? undefined : { amount: BigInt(amount), denom };
};

/**
 * Returns the cost of a node's heartbeat from the events of its transaction. The fee of a transaction that renews several nodes
 * is divided among them. A transaction without a fee costs 0. Returns `undefined` if the transaction does not concern this node
 * or if its fee is not a single coin.
 */
export const feeOfTransaction = (events: Events, node: string): HeartbeatFee | undefined => {
  const updates = events.filter(({ type }) => type.endsWith('.node.v3.EventUpdateStatus'));
  const isOurs = updates.some((event) => attribute(event, 'node_address')?.replaceAll('"', '') === node);
  if (!isOurs) return undefined;
  const paid = events.find((event) => event.type === 'tx' && attribute(event, 'fee_payer') !== undefined);
  const payer = paid && attribute(paid, 'fee_payer');
  if (paid === undefined || payer === undefined) return undefined;
  const fee = attribute(paid, 'fee') ?? '';
  const coin = fee === '' ? { amount: 0n, denom: 'udvpn' } : coinOf(fee);
  return coin && { amount: coin.amount / BigInt(updates.length), denom: coin.denom, payer };
};

/** Maximum number of headers read to find a block. */
const mostReads = 24;
const usualBlockMs = 6_000;
const firstStep = 50;

/**
 * Returns the height of the block with exactly this time; `undefined` if there is none. Guesses follow the block pace and step
 * further when they fall short. Every other guess bisects, for chains with an uneven pace.
 */
export const blockAt = async (
  timeMs: number,
  head: BlockHead,
  /** Returns `undefined` if no such block is available; all available blocks are above it. */
  timeOf: (height: bigint) => Promise<number | undefined>,
): Promise<bigint | undefined> => {
  let above = head;
  let below: Below | undefined;
  for (let read = 0; read < mostReads && above.timeMs > timeMs; read += 1) {
    const height = guess(timeMs, head, above, below, read);
    if (height < 1n || height >= above.height || height <= (below?.height ?? 0n)) return undefined;
    const seenMs = await timeOf(height);
    if (seenMs !== undefined && Math.abs(seenMs - timeMs) < 0.5) return height;
    if (seenMs !== undefined && seenMs > timeMs) above = { height, timeMs: seenMs };
    else below = { height, timeMs: seenMs };
  }
  return above.timeMs === timeMs ? above.height : undefined;
};

interface Below {
  readonly height: bigint;
  readonly timeMs: number | undefined;
}

const guess = (timeMs: number, head: BlockHead, above: BlockHead, below: Below | undefined, read: number): bigint => {
  if (below === undefined) {
    // The first step is short: a guess that goes too far may request a pruned block.
    const isFirst = above === head;
    const pace = isFirst ? usualBlockMs : (head.timeMs - above.timeMs) / Number(head.height - above.height);
    const wanted = Math.max(1, Math.round((above.timeMs - timeMs) / Math.max(1, pace)));
    const steps = isFirst ? Math.min(wanted, firstStep) : wanted * 2 ** Math.min(20, Math.max(0, read - 2));
    const height = above.height - BigInt(steps);
    return height < 1n ? 1n : height;
  }
  const between = above.height - below.height;
  if (read % 2 === 1 || below.timeMs === undefined) return below.height + between / 2n;
  const part = (timeMs - below.timeMs) / (above.timeMs - below.timeMs);
  const height = below.height + BigInt(Math.round(Number(between) * part));
  if (height <= below.height) return below.height + 1n;
  return height >= above.height ? above.height - 1n : height;
};

/** Reads a header; `undefined` if the endpoint reports that it does not have the block. */
const headerAt = async (endpoint: Endpoint, height: bigint, signal: AbortSignal) => {
  try {
    return (await endpoint.rpc('header', { height }, { signal })).header;
  } catch (error) {
    const isTooLow =
      error instanceof HubError && (error.code === 'height_not_retained' || error.code === 'height_never_existed');
    if (isTooLow) return undefined;
    throw error;
  }
};

/** Reads the fee of the heartbeat at a block time from the first endpoint that still has the block. */
export const readHeartbeatFee = async (
  endpoints: readonly Endpoint[],
  head: BlockHead,
  node: string,
  beatMs: number,
  signal: AbortSignal,
): Promise<HeartbeatFee | undefined> => {
  for (const endpoint of endpoints.filter(({ has }) => has.rpc)) {
    try {
      const height = await blockAt(beatMs, head, async (at) => {
        const header = await headerAt(endpoint, at, signal);
        return header?.time === undefined ? undefined : msOf(header.time);
      });
      if (height === undefined) continue;
      const { txsResults } = await endpoint.rpc('block_results', { height }, { signal });
      for (const { code, events } of txsResults) {
        const fee = code === 0 ? feeOfTransaction(events, node) : undefined;
        if (fee !== undefined) return fee;
      }
    } catch (error) {
      // Another endpoint may have the block.
      if (signal.aborted || !(error instanceof HubError)) throw error;
    }
  }
  return undefined;
};

/** Number of balance decreases required for an estimate. */
const enough = 3;

/**
 * Estimates the cost of a heartbeat from the balance: the median of its decreases. This requires that the balance is read more
 * often than heartbeats occur. Increases (top-ups, payouts) are ignored, and a single withdrawal does not affect the median.
 */
export const feeOfSteps = (steps: readonly Pick<Change, 'before' | 'after'>[]): bigint | undefined => {
  const down = steps
    .map(({ before, after }) => BigInt(before || '0') - BigInt(after || '0'))
    .filter((step) => step > 0n)
    .toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  return down.length < enough ? undefined : down[Math.floor((down.length - 1) / 2)];
};

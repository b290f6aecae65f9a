import { HubError } from '@hubwatch/client';
import type { RpcResult } from '@hubwatch/client/rpc';
import type { Endpoint } from '../../endpoints/endpoint.js';
import type { Head } from '../../endpoints/head.js';
import type { Change } from '../../store/change-history.js';
import { msOf } from '../times.js';

/** What one heartbeat cost, and who paid it. */
export interface HeartbeatFee {
  readonly amount: bigint;
  readonly denom: string;
  /** Account that paid: the node's own, or one that granted it its fees. */
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
 * What the heartbeat of a node cost, out of the events of its transaction. A transaction that renews several nodes is shared
 * among them; one without a fee costs nothing. `undefined`: it is none of this node, or its fee is no single coin.
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

/** Headers that are read for a block at most. */
const mostReads = 12;
const usualBlockMs = 6_000;

/** Height of the block with exactly that time, by steps that follow the pace of the blocks between; `undefined`: there is none. */
export const blockAt = async (
  timeMs: number,
  head: Head,
  timeOf: (height: bigint) => Promise<number>,
): Promise<bigint | undefined> => {
  let above = head;
  let below: Head | undefined;
  for (let read = 0; read < mostReads && above.timeMs > timeMs; read += 1) {
    const pace =
      below === undefined ? usualBlockMs : (above.timeMs - below.timeMs) / Number(above.height - below.height);
    const steps = BigInt(Math.max(1, Math.round((above.timeMs - timeMs) / Math.max(1, pace))));
    let height = above.height - steps;
    if (below !== undefined && height <= below.height) height = below.height + 1n;
    if (height < 1n) height = 1n;
    if (height >= above.height) return undefined;
    const seen = { height, timeMs: await timeOf(height) };
    if (Math.abs(seen.timeMs - timeMs) < 0.5) return height;
    if (seen.timeMs > timeMs) above = seen;
    else below = seen;
    if (below !== undefined && above.height - below.height <= 1n) return undefined;
  }
  return above.timeMs === timeMs ? above.height : undefined;
};

/** Reads the fee of the heartbeat at a block time from the first endpoint that still holds its block. */
export const readHeartbeatFee = async (
  endpoints: readonly Endpoint[],
  head: Head,
  node: string,
  beatMs: number,
  signal: AbortSignal,
): Promise<HeartbeatFee | undefined> => {
  for (const endpoint of endpoints.filter(({ has }) => has.rpc)) {
    try {
      const height = await blockAt(beatMs, head, async (at) => {
        const { header } = await endpoint.rpc('header', { height: at }, { signal });
        if (header?.time === undefined) throw new HubError({ code: 'decode', message: 'a header without a time' });
        return msOf(header.time);
      });
      if (height === undefined) continue;
      const { txsResults } = await endpoint.rpc('block_results', { height }, { signal });
      for (const { code, events } of txsResults) {
        const fee = code === 0 ? feeOfTransaction(events, node) : undefined;
        if (fee !== undefined) return fee;
      }
    } catch (error) {
      // Another endpoint may hold the block.
      if (signal.aborted || !(error instanceof HubError)) throw error;
    }
  }
  return undefined;
};

/** Steps down of a balance that are needed to say what a step is. */
const enough = 3;

/**
 * What a heartbeat costs as far as the balance tells: the median of its steps down, looked at more often than heartbeats come.
 * Steps up (top-ups, payouts) say nothing, and a single withdrawal is not the median.
 */
export const feeOfSteps = (steps: readonly Pick<Change, 'before' | 'after'>[]): bigint | undefined => {
  const down = steps
    .map(({ before, after }) => BigInt(before || '0') - BigInt(after || '0'))
    .filter((step) => step > 0n)
    .toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  return down.length < enough ? undefined : down[Math.floor((down.length - 1) / 2)];
};

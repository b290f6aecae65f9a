import { createReadStream } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';

/** Hub state after a height, with the recording's names: the reference for the daemon's values. */
export interface RecordedState {
  readonly height: number;
  readonly time: string;
  readonly nodes: readonly RecordedNode[];
  readonly leases: readonly RecordedLease[];
  readonly sessions: readonly RecordedSession[];
  readonly subscriptions: readonly { readonly status: string }[];
  readonly plans: readonly { readonly status: string }[];
  readonly providers: readonly { readonly status: string }[];
  readonly deposits: readonly { readonly coins: readonly { readonly denom: string; readonly amount: string }[] }[];
  readonly swaps: readonly object[];
  /** Allocations by subscription. */
  readonly allocations: Readonly<Record<string, readonly RecordedAllocation[]>>;
  readonly params: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export interface RecordedPrice {
  readonly denom: string;
  readonly base_value: string;
  readonly quote_value: string;
}

export interface RecordedNode {
  readonly address: string;
  readonly status: string;
  readonly status_at: string;
  readonly inactive_at: string;
  readonly hourly_prices: readonly RecordedPrice[];
  readonly gigabyte_prices: readonly RecordedPrice[];
}

export interface RecordedLease {
  readonly id: string;
  readonly node_address: string;
  readonly prov_address: string;
  readonly hours: string;
  readonly max_hours: string;
  readonly price: RecordedPrice;
  readonly renewal_price_policy: string;
  readonly start_at: string;
}

export interface RecordedSession {
  readonly '@type': string;
  readonly base_session: {
    readonly id: string;
    readonly acc_address: string;
    readonly node_address: string;
    readonly status: string;
    readonly download_bytes: string;
    readonly upload_bytes: string;
    readonly max_bytes: string;
    readonly duration: string;
    readonly max_duration: string;
    readonly start_at: string;
    readonly inactive_at: string;
  };
  /** Set for a session paid from a deposit. */
  readonly price?: RecordedPrice;
  /** Set for a session that uses an allocation. */
  readonly subscription_id?: string;
}

export interface RecordedAllocation {
  readonly address: string;
  readonly granted_bytes: string;
  readonly utilised_bytes: string;
}

type Row = Record<string, unknown> & { readonly height: number; readonly time: string };

export const recordings = resolve(import.meta.dirname, '../../devnode/recordings');

/**
 * Replays a recording's state rows up to `height`. Intentionally independent of the simulated node's reader: a test
 * that used the same one would compare it with itself.
 */
export async function recordedState(chain: string, height: number): Promise<RecordedState> {
  const state: Record<string, unknown> = {};
  let reached: { height: number; time: string } | undefined;
  const lines = createInterface({
    input: createReadStream(join(recordings, chain, 'states.jsonl.gz')).pipe(createGunzip()),
  });
  for await (const line of lines) {
    const row = JSON.parse(line) as Row;
    if (row.height > height) break;
    for (const [member, value] of Object.entries(row)) apply(state, member, value);
    reached = { height: row.height, time: row.time };
  }
  if (reached === undefined) throw new RangeError(`${chain} has no state at or below ${height}`);
  return { ...(state as unknown as RecordedState), ...reached };
}

function apply(state: Record<string, unknown>, member: string, value: unknown): void {
  if (!member.endsWith('~')) {
    state[member] = value;
    return;
  }
  const name = member.slice(0, -1);
  if (Array.isArray(value)) {
    const list = [...(state[name] as unknown[])];
    for (const [start, count, records] of (value as [number, number, unknown[]][]).toReversed()) {
      list.splice(start, count, ...records);
    }
    state[name] = list;
    return;
  }
  const entries = { ...(state[name] as Record<string, unknown>) };
  for (const [key, entry] of Object.entries(value as Record<string, unknown>)) {
    if (entry === null) Reflect.deleteProperty(entries, key);
    else entries[key] = entry;
  }
  state[name] = entries;
}

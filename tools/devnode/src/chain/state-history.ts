import { join } from 'node:path';
import { JsonLines } from './json-lines.js';

/** A record as printed by the REST gateway, with neutral type URLs. */
export type StateRecord = Readonly<Record<string, unknown>>;

/** Hub state after a block. Lists are in the node's own order. Records are shared between heights and must not be modified. */
export interface HubState {
  readonly nodes: readonly StateRecord[];
  readonly providers: readonly StateRecord[];
  readonly plans: readonly StateRecord[];
  readonly leases: readonly StateRecord[];
  readonly sessions: readonly StateRecord[];
  readonly subscriptions: readonly StateRecord[];
  readonly deposits: readonly StateRecord[];
  readonly assets: readonly StateRecord[];
  readonly swaps: readonly StateRecord[];
  readonly plan_nodes: Readonly<Record<string, readonly string[]>>;
  readonly allocations: Readonly<Record<string, readonly StateRecord[]>>;
  readonly params: Readonly<Record<string, StateRecord>>;
  readonly balances: Readonly<Record<string, string>>;
  readonly balances_other: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

type Row = { height: number; time: string } & Record<string, unknown>;
type Splice = readonly [start: number, count: number, records: readonly unknown[]];

/** Interval in rows at which a rebuilt state is cached, in addition to the most recently read states. */
const keepEvery = 25;
const keptStates = 256;

function spliced(list: readonly unknown[], splices: readonly Splice[]): unknown[] {
  const next = [...list];
  for (const [start, count, records] of [...splices].reverse()) next.splice(start, count, ...records);
  return next;
}

function patched(object: Record<string, unknown>, changes: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries({ ...object, ...changes }).filter(([, value]) => value !== null));
}

function apply(state: Record<string, unknown>, row: Row): Record<string, unknown> {
  const next = { ...state };
  for (const [member, value] of Object.entries(row)) {
    if (member === 'height' || member === 'time') continue;
    if (!member.endsWith('~')) {
      next[member] = value;
      continue;
    }
    const name = member.slice(0, -1);
    const old = state[name];
    next[name] = Array.isArray(value)
      ? spliced(old as unknown[], value as Splice[])
      : patched((old ?? {}) as Record<string, unknown>, value as Record<string, unknown>);
  }
  return next;
}

/** Hub state by height, rebuilt from a recording's snapshots and diffs. */
export class StateHistory {
  readonly #lines: JsonLines;
  readonly #heights: number[] = [];
  readonly #kept = new Map<number, Record<string, unknown>>();

  constructor(folder: string) {
    this.#lines = new JsonLines(join(folder, 'states.jsonl.gz'));
    for (let line = 0; line < this.#lines.length; line++) {
      this.#heights.push(Number(/\d+/.exec(this.#lines.prefix(line, 32))?.[0]));
    }
  }

  /** State after `height`, taken from the last row at or below it. */
  at(height: number): HubState {
    const row = this.#rowAt(height);
    if (row < 0) throw new RangeError(`no state at or below height ${height}`);
    let from = row;
    while (from > 0 && !this.#kept.has(from) && !this.#isSnapshot(from)) from--;
    let state = this.#kept.get(from);
    if (state === undefined) state = this.#keep(from, apply({}, this.#lines.parse<Row>(from)));
    for (let next = from + 1; next <= row; next++) {
      state = apply(state, this.#lines.parse<Row>(next));
      if (next % keepEvery === 0 || next === row) this.#keep(next, state);
    }
    return state as unknown as HubState;
  }

  #keep(row: number, state: Record<string, unknown>): Record<string, unknown> {
    if (this.#kept.size >= keptStates) this.#kept.delete(this.#kept.keys().next().value as number);
    this.#kept.set(row, state);
    return state;
  }

  #isSnapshot(row: number): boolean {
    // A diff marks member names with `~`; a snapshot contains every member in full.
    const text = this.#lines.text(row);
    return !text.includes('~":') && ['"nodes":', '"sessions":', '"params":'].every((member) => text.includes(member));
  }

  #rowAt(height: number): number {
    let low = 0;
    let high = this.#heights.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#heights[middle] as number) <= height) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}

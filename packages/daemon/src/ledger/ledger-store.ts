import { readFact, writeFact } from '../store/facts.js';
import type { Store } from '../store/store.js';
import type { Entry, EntryKind } from './entry.js';
import { createLapses, type Lapse } from './lapses.js';
import { createLeaseOutcomes } from './lease-outcomes.js';
import { createLedgerGaps, type LedgerGap } from './ledger-gaps.js';
import { type LedgerRow, rowOf, rowsAt } from './ledger-row.js';
import { createNodeStatuses } from './node-statuses.js';
import { type RemovedLink, removedLinks } from './removed-links.js';
import { createSubjectStarts, type SubjectStarts } from './subject-starts.js';
import { createTotalsStore } from './totals-store.js';
import type { LedgerTotals } from './totals.js';

/** How long the ends of leases are kept at hand: longer than any notice about them lasts. */
const recentMs = 2 * 86_400_000;

/** What was inserted, and how many rows more there are. */
interface Inserted {
  readonly kept: readonly Entry[];
  readonly more: number;
}

/** Part of the ledger; every bound is optional and included. A row without a time is taken to be of its neighbours' time. */
export interface LedgerRange {
  readonly sinceMs?: number | undefined;
  readonly untilMs?: number | undefined;
  readonly kinds?: readonly EntryKind[] | undefined;
}

/** Events of watched subjects, kept after the chain deleted the records. */
export interface LedgerStore {
  /** Last height of which nothing is missing but the gaps. */
  position(): bigint | undefined;
  /** Block time, milliseconds, of the newest block up to the position whose time is known. */
  positionMs(): number | undefined;
  /**
   * Keeps the entries of a block, if any, and moves the position; the position is written with them or by `settle`.
   * `blockMs`: block time in whole milliseconds, where it is known.
   */
  add(height: bigint, entries: readonly Entry[], blockMs?: number): void;
  /** Keeps the entries of a block of the past, and takes its height out of the gaps. The position stays. */
  fill(height: bigint, entries: readonly Entry[], blockMs?: number): void;
  /**
   * Keeps the entries of a block from before its subjects were watched, and notes that those named in `complete` are
   * complete from it on. No counter grows by what is long past. @returns how many rows there are more
   */
  addOld(height: bigint, entries: readonly Entry[], blockMs: number | undefined, complete: readonly string[]): number;
  /** Takes heights out of the gaps. */
  mend(from: bigint, to: bigint): void;
  /** From which height on everything of each watched address is kept, but for the gaps. */
  readonly starts: SubjectStarts;
  /** Whether no more rows can be kept without giving up the oldest. */
  isFull(): boolean;
  /** Moves the position over heights that could not be read. */
  skip(gap: LedgerGap): void;
  /** Gives the part of an open gap from `first` to `last` up: no endpoint has these blocks. */
  close(gap: Omit<LedgerGap, 'isOpen'>): void;
  /** Sets the position of a new ledger. */
  begin(height: bigint): void;
  /** Writes the position, and its block time where that is known. A block read twice after a crash is stored once. */
  settle(blockMs?: number): void;
  /** What ended when the node went inactive in the block of this time; `undefined` when that block is not here. */
  lapse(node: string, blockMs: number): Lapse | undefined;
  /** Every time that a node turned inactive in the last seven days, in the order of the chain. */
  recentLapses(): readonly Lapse[];
  /** The last removal of each link of a node to a plan in the last three days, in the order of the chain. */
  removedLinks(): readonly RemovedLink[];
  /** Whether the node went inactive by what was kept last of it. */
  isInactive(node: string): boolean;
  gaps(): readonly LedgerGap[];
  /** Leases that ended in the last two days, in the order of the chain. */
  recentEnds(): readonly LedgerRow[];
  /**
   * Leases of a node that ended with a lapse of it in the last seven days and whose provider has not leased it again, in the
   * order of the chain. A lease that began in blocks that were not read does not count.
   */
  lostToLapses(node: string): readonly LedgerRow[];
  /** Rows in the order of the chain. */
  rows(range?: LedgerRange): readonly LedgerRow[];
  /** Sums over all that was ever kept, also of rows that were pruned. */
  readonly totals: LedgerTotals;
}

export interface LedgerStoreOptions {
  /** Addresses that sums are kept of; all when left out. */
  readonly isWatched?: ((address: string) => boolean) | undefined;
  /** Entries beyond so many are dropped, the oldest first; all are kept when left out. */
  readonly maxRows?: number | undefined;
}

export const createLedgerStore = (
  store: Store,
  { isWatched = () => true, maxRows = Number.POSITIVE_INFINITY }: LedgerStoreOptions = {},
): LedgerStore => {
  let position = readPosition(store);
  let written = position;
  const gaps = createLedgerGaps(store);
  const outcomes = createLeaseOutcomes(store, gaps);
  const statuses = createNodeStatuses(store);
  const lapses = createLapses(store);
  const sums = createTotalsStore(store, isWatched);
  const starts = createSubjectStarts(store);
  const writePosition = (height: bigint): void => writeFact(store, 'ledger_height', String(height));
  const moveTo = (height: bigint): void => {
    position = height;
    written = height;
  };
  /** All of it or nothing: what is held in memory moves on only with the file. */
  const commit = (work: () => void, then: () => void = () => undefined): void => {
    try {
      store.transaction(work);
    } catch (error) {
      count = undefined;
      throw error;
    }
    then();
  };
  const insert = (height: bigint, position: number, entry: Entry, blockMs: number | undefined): void => {
    const { node, provider, account, kind, record, amount, stakers, denom, detail, hours } = entry;
    store.run(
      `INSERT INTO ledger (height, position, node, provider, account, kind, record, amount, stakers, denom, detail, hours, block_ms)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      Number(height),
      position,
      node,
      provider,
      account,
      kind,
      record,
      amount ?? null,
      stakers ?? null,
      denom ?? null,
      detail ?? null,
      hours ?? null,
      blockMs ?? null,
    );
  };
  const insertMissing = (height: bigint, entries: readonly Entry[], blockMs: number | undefined): Inserted => {
    const there = rowsAt(store, height);
    const free = there.reduce((next, row) => Math.max(next, row.position + 1), 0);
    const kept: Entry[] = [];
    let dropped = 0;
    for (const entry of missingOf(entries, there)) {
      if (entry.kind === 'node_active' && statuses.isActiveAt(entry.node, height)) continue;
      // One after another: what a lease did earlier in the block tells how it ended.
      const told = outcomes.told(entry, height, blockMs);
      insert(height, free + kept.length, told, blockMs);
      kept.push(told);
      if (entry.kind === 'node_active') dropped += statuses.dropRepeated(entry.node, height);
    }
    return { kept, more: kept.length - dropped };
  };
  /** Until another link is made or removed. */
  let links: readonly RemovedLink[] | undefined;
  /** Until more is kept. */
  let lost: ReadonlyMap<string, readonly LedgerRow[]> | undefined;
  let ends: readonly LedgerRow[] | undefined;
  const noteKept = (kept: readonly Entry[]): void => {
    lapses.noteKept(kept);
    if (kept.some(({ kind }) => kind === 'lease_ended')) ends = undefined;
    if (kept.some(({ kind }) => kind === 'lease_ended' || kind === 'plan_linked' || kind === 'plan_unlinked'))
      links = undefined;
  };
  /** Keeps the entries of a block; to be counted once that is committed. */
  const keep = (height: bigint, entries: readonly Entry[], blockMs: number | undefined): readonly Entry[] => {
    const { kept, more } = insertMissing(height, entries, blockMs);
    noteKept(kept);
    sums.keep(kept, height);
    prune(more);
    return kept;
  };
  const countKept = (kept: readonly Entry[], height: bigint): void => {
    lost = undefined;
    sums.count(kept, height);
  };
  let count: number | undefined;
  const counted = (): number => Number(store.all('SELECT COUNT(*) AS count FROM ledger')[0]?.['count']);
  /** To find the oldest row that stays takes a walk over all; it is done once in a hundredth of them. */
  const prune = (added: number): void => {
    count = count === undefined ? counted() : count + added;
    if (count <= maxRows * 1.01) return;
    store.run(
      'DELETE FROM ledger WHERE height < (SELECT height FROM ledger ORDER BY height DESC LIMIT 1 OFFSET ?)',
      maxRows,
    );
    count = counted();
    const lowest = store.all('SELECT MIN(height) AS height FROM ledger')[0]?.['height'];
    if (typeof lowest !== 'number') return;
    starts.raise(BigInt(lowest));
    gaps.dropBelow(BigInt(lowest));
    sums.dropPruned();
  };

  return {
    totals: sums.totals,
    starts,
    mend: (from, to) => commit(() => gaps.cut(from, to)),
    isFull: () => (count ??= counted()) >= maxRows,
    addOld: (height, entries, blockMs, complete) =>
      store.transaction(() => {
        const { kept, more } = insertMissing(height, entries, blockMs);
        noteKept(kept);
        count = count === undefined ? undefined : count + more;
        outcomes.retell(kept.filter(isOfTerm).map(({ record }) => record));
        starts.lower(complete, height);
        return more;
      }),
    position: () => position,
    positionMs() {
      const [fact, newest] = [
        readFact(store, 'ledger_ms'),
        store.all('SELECT MAX(block_ms) AS ms FROM ledger')[0]?.['ms'],
      ].map((ms) => (ms === undefined || ms === null ? undefined : Number(ms)));
      return newest === undefined ? fact : Math.max(newest, fact ?? newest);
    },
    begin: (height) =>
      commit(
        () => writePosition(height),
        () => moveTo(height),
      ),
    settle(blockMs) {
      if (position === undefined || position === written) return;
      const reached = position;
      commit(
        () => {
          writePosition(reached);
          if (blockMs !== undefined) writeFact(store, 'ledger_ms', String(blockMs));
        },
        () => moveTo(reached),
      );
    },
    gaps: () => gaps.all(),
    add(height, entries, blockMs) {
      if (entries.length === 0) {
        position = height;
        return;
      }
      let kept: readonly Entry[] = [];
      commit(
        () => {
          kept = keep(height, entries, blockMs);
          writePosition(height);
        },
        () => {
          moveTo(height);
          countKept(kept, height);
        },
      );
    },
    fill(height, entries, blockMs) {
      let kept: readonly Entry[] = [];
      commit(
        () => {
          gaps.cut(height, height);
          if (entries.length > 0) kept = keep(height, entries, blockMs);
          outcomes.retell(entries.filter(isOfTerm).map(({ record }) => record));
        },
        () => countKept(kept, height),
      );
    },
    skip(gap) {
      commit(
        () => {
          gaps.add(gap);
          writePosition(gap.last);
        },
        () => moveTo(gap.last),
      );
    },
    close(gap) {
      commit(() => gaps.close(gap));
    },
    lapse: (node, blockMs) => lapses.at(node, blockMs),
    recentLapses: () => lapses.recent(),
    removedLinks: () => (links ??= removedLinks(store)),
    recentEnds: () => (ends ??= readEnds(store)),
    isInactive: (node) => statuses.isInactive(node),
    lostToLapses(node) {
      lost ??= byNode(readLost(store));
      return lost.get(node) ?? [];
    },
    rows({ sinceMs, untilMs, kinds = [] } = {}) {
      // Times grow with heights, so that a height bounds the rows that have no time too.
      return store
        .all(
          `SELECT * FROM ledger
           WHERE (?1 IS NULL OR height > IFNULL((SELECT MAX(height) FROM ledger WHERE block_ms < ?1), -1))
             AND (?2 IS NULL OR height < IFNULL((SELECT MIN(height) FROM ledger WHERE block_ms > ?2), 9223372036854775807))
             ${kinds.length === 0 ? '' : `AND kind IN (${kinds.map((kind) => `'${kind}'`).join(', ')})`}
           ORDER BY height, position`,
          sinceMs ?? null,
          untilMs ?? null,
        )
        .map(rowOf);
    },
  };
};

/** Entries that are not there yet. A block may be read again for more subjects than before; two that are alike are two. */
const missingOf = (entries: readonly Entry[], there: readonly Entry[]): readonly Entry[] => {
  const left = there.map(identityOf);
  return entries.filter((entry) => {
    const at = left.indexOf(identityOf(entry));
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
};

/** Without the reason of an end, which may be told better later. */
const identityOf = ({ kind, node, provider, account, record, amount, denom }: Entry): string =>
  JSON.stringify([kind, node, provider, account, record, amount, denom]);

/** What tells how a lease is to end. */
const isOfTerm = ({ kind }: Entry): boolean => /^lease_(?:created|renewed|updated)$/.test(kind);

const readEnds = (store: Store): readonly LedgerRow[] =>
  store
    .all(
      `SELECT * FROM ledger WHERE kind = 'lease_ended' AND block_ms >= (SELECT MAX(block_ms) FROM ledger) - ?
       ORDER BY height, position`,
      recentMs,
    )
    .map(rowOf);

const lostForMs = 7 * 86_400_000;

const readLost = (store: Store): LedgerRow[] =>
  store
    .all(
      `SELECT * FROM ledger AS lost
       WHERE block_ms >= (SELECT MAX(block_ms) FROM ledger) - ?
         AND kind = 'lease_ended' AND detail = 'node_inactive'
         AND NOT EXISTS (
           SELECT 1 FROM ledger
           WHERE node = lost.node AND provider = lost.provider AND height >= lost.height AND kind = 'lease_created'
         )
       ORDER BY height, position`,
      lostForMs,
    )
    .map(rowOf);

const byNode = (rows: readonly LedgerRow[]): ReadonlyMap<string, readonly LedgerRow[]> => {
  const nodes = new Map<string, LedgerRow[]>();
  for (const row of rows) {
    const ofNode = nodes.get(row.node);
    if (ofNode === undefined) nodes.set(row.node, [row]);
    else ofNode.push(row);
  }
  return nodes;
};

const readPosition = (store: Store): bigint | undefined => {
  const height = readFact(store, 'ledger_height');
  return height === undefined ? undefined : BigInt(height);
};

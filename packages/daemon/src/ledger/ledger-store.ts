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

/** How long the ends of leases are cached, which exceeds the duration of any notice about them. */
const recentMs = 2 * 86_400_000;

/** Inserted entries, and the increase in the number of rows. */
interface Inserted {
  readonly kept: readonly Entry[];
  readonly more: number;
}

/** Part of the ledger; every bound is optional and inclusive. A row without a time gets the time of its neighbours. */
export interface LedgerRange {
  readonly sinceMs?: number | undefined;
  readonly untilMs?: number | undefined;
  readonly kinds?: readonly EntryKind[] | undefined;
}

/** Events of watched subjects, stored after the chain deleted the records. */
export interface LedgerStore {
  /** Last height up to which nothing is missing except the gaps. */
  position(): bigint | undefined;
  /** Block time, milliseconds, of the latest block up to the position with a known time. */
  positionMs(): number | undefined;
  /**
   * Stores the entries of a block, if any, and advances the position; the position is written with them or by `settle`.
   * `blockMs`: block time in whole milliseconds, if known.
   */
  add(height: bigint, entries: readonly Entry[], blockMs?: number): void;
  /** Stores the entries of a past block, and removes its height from the gaps. The position is unchanged. */
  fill(height: bigint, entries: readonly Entry[], blockMs?: number): void;
  /**
   * Stores the entries of a block from before its subjects were watched, and marks the subjects in `complete` as
   * complete from its height on. Counters do not include such old entries. @returns the increase in the number of rows
   */
  addOld(height: bigint, entries: readonly Entry[], blockMs: number | undefined, complete: readonly string[]): number;
  /** Removes heights from the gaps. */
  mend(from: bigint, to: bigint): void;
  /** Height from which the entries of each watched address are complete, except for the gaps. */
  readonly starts: SubjectStarts;
  /** Whether more rows require deleting the oldest. */
  isFull(): boolean;
  /** Advances the position over heights that could not be read. */
  skip(gap: LedgerGap): void;
  /** Marks the part of an open gap from `first` to `last` as unavailable: no endpoint has these blocks. */
  close(gap: Omit<LedgerGap, 'isOpen'>): void;
  /** Sets the position of a new ledger. */
  begin(height: bigint): void;
  /** Writes the position, and its block time where that is known. A block read twice after a crash is stored once. */
  settle(blockMs?: number): void;
  /**
   * Leases and links that ended when the node became inactive in the block of this time; `undefined` if that block is
   * not stored.
   */
  lapse(node: string, blockMs: number): Lapse | undefined;
  /** Each time that a node became inactive in the last seven days, in chain order. */
  recentLapses(): readonly Lapse[];
  /** The last removal of each link of a node to a plan in the last three days, in chain order. */
  removedLinks(): readonly RemovedLink[];
  /** Whether the node is inactive by its last stored entry. */
  isInactive(node: string): boolean;
  gaps(): readonly LedgerGap[];
  /** Leases that ended in the last two days, in chain order. */
  recentEnds(): readonly LedgerRow[];
  /**
   * Leases of a node that ended with one of its lapses in the last seven days and that their provider has not leased
   * again, in chain order. A lease that began in unread blocks does not count.
   */
  lostToLapses(node: string): readonly LedgerRow[];
  /** Rows in chain order. */
  rows(range?: LedgerRange): readonly LedgerRow[];
  /** Sums over all entries ever stored, including pruned rows. */
  readonly totals: LedgerTotals;
}

export interface LedgerStoreOptions {
  /** Addresses with sums; by default all. */
  readonly isWatched?: ((address: string) => boolean) | undefined;
  /** Maximum number of entries, beyond which the oldest are dropped; unlimited if omitted. */
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
  /** Runs the work atomically: in-memory state changes only after the file was written. */
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
      // Processed in order: earlier events of a lease in the block determine how it ended.
      const told = outcomes.told(entry, height, blockMs);
      insert(height, free + kept.length, told, blockMs);
      kept.push(told);
      if (entry.kind === 'node_active') dropped += statuses.dropRepeated(entry.node, height);
    }
    return { kept, more: kept.length - dropped };
  };
  /** Cached until a link is added or removed. */
  let links: readonly RemovedLink[] | undefined;
  /** Cached until entries are added. */
  let lost: ReadonlyMap<string, readonly LedgerRow[]> | undefined;
  let ends: readonly LedgerRow[] | undefined;
  const noteKept = (kept: readonly Entry[]): void => {
    lapses.noteKept(kept);
    if (kept.some(({ kind }) => kind === 'lease_ended')) ends = undefined;
    if (kept.some(({ kind }) => kind === 'lease_ended' || kind === 'plan_linked' || kind === 'plan_unlinked'))
      links = undefined;
  };
  /** Stores the entries of a block; they are counted after the commit. */
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
  /** Finding the oldest row to keep requires a scan; it is done once per hundredth of the rows. */
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
      // Times grow with heights, so a height also bounds the rows without a time.
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

/**
 * Entries that are not stored yet. A block may be read again for more subjects than before; two identical entries count
 * as two.
 */
const missingOf = (entries: readonly Entry[], there: readonly Entry[]): readonly Entry[] => {
  const left = there.map(identityOf);
  return entries.filter((entry) => {
    const at = left.indexOf(identityOf(entry));
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
};

/** Excludes the reason of an end, which a later read may correct. */
const identityOf = ({ kind, node, provider, account, record, amount, denom }: Entry): string =>
  JSON.stringify([kind, node, provider, account, record, amount, denom]);

/** Whether the entry affects how a lease will end. */
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

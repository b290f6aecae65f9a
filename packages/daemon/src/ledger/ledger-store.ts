import type { Store } from '../store/store.js';
import type { Entry } from './hub-events.js';

/** Rows kept; about a year of a fleet of fifty. */
const maxRows = 200_000;

export interface EndedLease {
  readonly leaseId: string;
  readonly provider: string | undefined;
  /** Absent where the block shows no refund. */
  readonly refund: { readonly amount: string; readonly denom: string } | undefined;
}

/** A block in which a node went inactive, and what ended in it. */
export interface Lapse {
  readonly height: bigint;
  readonly ended: readonly EndedLease[];
}

/** Heights whose events were not read. */
export interface Gap {
  readonly first: bigint;
  readonly last: bigint;
  readonly reason: string;
}

/** Lease and node events of watched nodes, kept after the chain deleted the records. */
export interface LedgerStore {
  /** Last height of which nothing is missing but the gaps. */
  position(): bigint | undefined;
  /**
   * Keeps the entries of a block, if any, and moves the position; the position is written with them or by `settle`.
   * `blockMs`: block time in whole milliseconds, where it is known.
   */
  add(height: bigint, entries: readonly Entry[], blockMs?: number): void;
  /** Moves the position over heights that cannot be read. */
  skip(first: bigint, last: bigint, reason: string): void;
  /** Sets the position of a new ledger. */
  begin(height: bigint): void;
  /** Writes the position. A block read twice after a crash is stored once. */
  settle(): void;
  /** What ended when the node went inactive in the block of this time; `undefined` when that block is not here. */
  lapse(node: string, blockMs: number): Lapse | undefined;
  gaps(): readonly Gap[];
}

export const createLedgerStore = (store: Store): LedgerStore => {
  let position = readPosition(store);
  let written = position;
  const moveTo = (height: bigint): void => {
    position = height;
    written = height;
    store.run(
      'INSERT INTO facts (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
      'ledger_height',
      String(height),
    );
  };
  const gaps = (): readonly Gap[] =>
    store.all('SELECT first, last, reason FROM ledger_gaps ORDER BY first').map((row) => ({
      first: BigInt(String(row['first'])),
      last: BigInt(String(row['last'])),
      reason: String(row['reason']),
    }));
  return {
    position: () => position,
    begin: moveTo,
    settle() {
      if (position !== undefined && position !== written) moveTo(position);
    },
    gaps,
    add(height, entries, blockMs) {
      position = height;
      if (entries.length === 0) return;
      store.transaction(() => {
        for (const [index, { kind, node, leaseId, amount, denom, provider }] of entries.entries()) {
          store.run(
            'INSERT OR IGNORE INTO ledger (height, position, node, kind, lease_id, amount, denom, provider, block_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
            Number(height),
            index,
            node,
            kind,
            leaseId ?? null,
            amount ?? null,
            denom ?? null,
            provider ?? null,
            blockMs ?? null,
          );
        }
        store.run(
          'DELETE FROM ledger WHERE height < (SELECT height FROM ledger ORDER BY height DESC LIMIT 1 OFFSET ?)',
          maxRows,
        );
        moveTo(height);
      });
    },
    skip(first, last, reason) {
      store.transaction(() => {
        const before = gaps().find((gap) => gap.last + 1n === first && gap.reason === reason);
        if (before === undefined) {
          store.run('INSERT OR REPLACE INTO ledger_gaps VALUES (?, ?, ?)', Number(first), Number(last), reason);
        } else {
          store.run('UPDATE ledger_gaps SET last = ? WHERE first = ?', Number(last), Number(before.first));
        }
        moveTo(last);
      });
    },
    lapse(node, blockMs) {
      const at = store.all(
        "SELECT height FROM ledger WHERE node = ? AND kind = 'node_inactive' AND block_ms = ? LIMIT 1",
        node,
        blockMs,
      )[0];
      if (at === undefined) return undefined;
      const rows = store.all(
        'SELECT kind, lease_id, amount, denom, provider FROM ledger WHERE node = ? AND height = ? ORDER BY position',
        node,
        Number(at['height']),
      );
      const ended = rows
        .filter((row) => row['kind'] === 'lease_ended')
        .map((row): EndedLease => {
          const refund = rows.find(
            (other) => other['kind'] === 'lease_refunded' && other['lease_id'] === row['lease_id'],
          );
          const amount = textOf(refund?.['amount']);
          return {
            leaseId: textOf(row['lease_id']) ?? '',
            provider: textOf(row['provider']),
            refund: amount === undefined ? undefined : { amount, denom: textOf(refund?.['denom']) ?? '' },
          };
        });
      return { height: BigInt(String(at['height'])), ended };
    },
  };
};

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const readPosition = (store: Store): bigint | undefined => {
  const row = store.all('SELECT value FROM facts WHERE name = ?', 'ledger_height')[0];
  return row === undefined ? undefined : BigInt(String(row['value']));
};

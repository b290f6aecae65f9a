import type { Connection } from '@hubwatch/daemon/parts';
import type { RandomSource } from '../random-source.js';
import { type StoredRow, tableNames, type Value } from './content.js';

interface Column {
  readonly name: string;
  readonly type: string;
  readonly isNullable: boolean;
}

/** A row under construction. */
type Draft = Record<string, Value>;

const nowMs = 1_800_000_000_000;
const hourMs = 3_600_000;

const texts = ['', 'plain', "it's", '"quoted"', 'two\nlines', 'ключ 🔑', '{"a":1}', '%_\\', 'NULL', '0'];
const rules = ['HubNodeInactive', 'HubEndpointDown', 'HubChainHalted'];
const nodes = ['sentnode1a', 'sentnode1b', 'sentnode1c', 'sentnode1d'];
const moneyKinds = ['lease_paid', 'lease_refunded', 'session_paid', 'lease_ended', 'lease_created'];
const otherKinds = ['node_active', 'node_inactive'];

export interface RowCounts {
  readonly ledger: number;
  /** Maximum number of rows in any other table. */
  readonly others: number;
}

/** Adds random rows, of the kind that its daemon could have written, to every table in a store of some version. */
export function addRandomRows(connection: Connection, random: RandomSource, most: RowCounts): void {
  connection.transaction(() => {
    for (const table of tableNames(connection)) {
      const columns = columnsOf(connection, table);
      const rows = table === 'ledger' ? most.ledger : 1 + random.below(most.others);
      for (let no = 0; no < rows; no += 1) insert(connection, table, draftOf(table, columns, random));
    }
  });
}

function columnsOf(connection: Connection, table: string): readonly Column[] {
  return connection.all(`PRAGMA table_info("${table}")`).map((column) => ({
    name: String(column['name']),
    type: String(column['type']),
    isNullable: column['notnull'] === 0 && column['pk'] === 0,
  }));
}

function insert(connection: Connection, table: string, row: StoredRow): void {
  const names = Object.keys(row);
  connection.run(
    `INSERT OR IGNORE INTO "${table}" (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
    ...Object.values(row),
  );
}

function draftOf(table: string, columns: readonly Column[], random: RandomSource): StoredRow {
  const row: Draft = {};
  for (const { name, type, isNullable } of columns) {
    // The table generates the sequence number.
    if (name === 'seq') continue;
    row[name] = isNullable && random.chance(0.3) ? null : valueOf(name, type, random);
  }
  adjustments[table]?.(row, random);
  return row;
}

const digits = (random: RandomSource, most: number): string => String(random.unsigned(Math.floor(most * 3.3)));
const word = (random: RandomSource): string => `${random.pick(texts)}${random.below(1_000)}`;
const sessions = (random: RandomSource): string =>
  Buffer.from(Uint8Array.from({ length: 32 * random.below(4) }, () => random.below(256))).toString('base64');

/** Values of columns that have the same meaning in every table. */
const byName: Readonly<Record<string, (random: RandomSource) => Value>> = {
  node: (random) => random.pick(nodes),
  rule: (random) => random.pick(rules),
  severity: (random) => random.pick(['warning', 'critical']),
  amount: (random) => digits(random, 27),
  stakers: (random) => digits(random, 24),
  download: (random) => digits(random, 20),
  upload: (random) => digits(random, 20),
  first: (random) => random.below(1_000_000),
  sessions,
  sums: () => '[]',
  notified: (random) => random.below(2),
  is_open: (random) => random.below(2),
  is_short: (random) => random.below(2),
  denom: (random) => random.pick(['udvpn', 'uother']),
  provider: (random) => random.pick(['sentprov1a', 'sentprov1b']),
};

function valueOf(name: string, type: string, random: RandomSource): Value {
  const named = byName[name];
  if (named !== undefined) return named(random);
  // Times are integers and rarely equal, so that sorting by time is deterministic.
  if (name.endsWith('_ms')) return nowMs + random.below(2 ** 31);
  if (type === 'INTEGER') return random.below(1_000_000);
  if (type === 'REAL') return random.below(1_000_000) / 8;
  return word(random);
}

/** Constraints between the columns of a row. */
const adjustments: Readonly<Record<string, (row: Draft, random: RandomSource) => void>> = {
  alerts(row, random) {
    const state = random.pick(['pending', 'firing', 'resolved']);
    row['id'] = `alert ${random.bits()}`;
    row['state'] = state;
    row['ended_ms'] = state === 'resolved' ? nowMs + hourMs : null;
    if (state === 'pending') row['firing_ms'] = null;
    if ('owes_recovery' in row) row['owes_recovery'] = state === 'resolved' && random.chance(0.3) ? 1 : 0;
    if ('hold_since_ms' in row && state !== 'pending') row['hold_since_ms'] = null;
  },
  outbox(row, random) {
    const isWaiting = random.chance(0.4);
    row['id'] = `notice ${random.bits()}`;
    row['state'] = isWaiting ? 'waiting' : random.pick(['delivered', 'dead']);
    row['ended_ms'] = isWaiting ? null : nowMs;
    row['channel'] = random.pick(['email', 'telegram']);
    const { id, thread_id: threadId } = row;
    const [title, text] = [word(random), word(random)];
    const notice = {
      id,
      threadId,
      kind: 'firing',
      rule: row['rule'] ?? 'R',
      severity: 'warning',
      title,
      text,
      atMs: nowMs,
    };
    row['notice'] = JSON.stringify(notice);
  },
  ledger(row, random) {
    const isMoney = random.chance(0.8);
    row['height'] = random.below(2 ** 31);
    row['position'] = random.below(4);
    row['kind'] = random.pick(isMoney ? moneyKinds : otherKinds);
    const record = isMoney ? `${random.below(500)}` : '';
    if ('record' in row) row['record'] = record;
    else row['lease_id'] = isMoney ? record : null;
    if ('account' in row) row['account'] = random.pick(['', 'sent1a']);
    if (!isMoney) row['amount'] = null;
  },
  session_pieces(row, random) {
    row['first'] = digits(random, 12);
  },
  told(row, random) {
    const { rule, subject } = row;
    const words = { severity: 'warning', title: word(random), isFiring: true, alertId: 'a', stream: 's' };
    row['state'] = JSON.stringify({ rule, subject, ...words });
  },
};

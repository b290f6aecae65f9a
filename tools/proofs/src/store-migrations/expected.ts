import type { Content, StoredRow, Value } from './content.js';

/** Columns that were renamed. */
const renamed: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  outbox: { alert_id: 'stream' },
  ledger: { lease_id: 'record' },
};

/** Columns that were added, with their value in older rows. */
const added: Readonly<Record<string, (row: StoredRow) => StoredRow>> = {
  ledger: () => ({ block_ms: null, account: '', stakers: null, detail: null, hours: null }),
  ledger_gaps: () => ({ is_open: 1 }),
  outbox: () => ({ recipient: '', is_short: 0 }),
  alerts: ({ state, since_ms }) => ({
    group_id: null,
    owes_recovery: 0,
    fired_clock_ms: null,
    ended_clock_ms: null,
    hold_ran_ms: 0,
    hold_since_ms: state === 'pending' ? (since_ms ?? null) : null,
  }),
  node_sessions: () => ({ reported: 0, silent: 0 }),
  seen_values: () => ({ noted_ms: 0 }),
};

/** Expected content after migration to the newest version. It is derived without SQL, from the meaning of each migration. */
export function expectedAfter(old: Content, tables: readonly string[]): Content {
  const content = new Map<string, readonly StoredRow[]>(tables.map((name) => [name, []]));
  for (const [name, rows] of old)
    content.set(
      name,
      rows.map((row) => migrated(name, row)),
    );
  const ledger = content.get('ledger') ?? [];
  if (!old.has('ledger_totals')) {
    content.set('ledger_totals', totalsOf(ledger));
    content.set('ledger_payouts', payoutsOf(ledger));
  }
  if (!old.has('session_pieces')) content.set('session_pieces', piecesOf(old.get('node_sessions') ?? []));
  if (!old.has('told')) {
    content.set('told', toldOf(old.get('alerts') ?? []));
    content.set(
      'alerts',
      (content.get('alerts') ?? []).map((row) => ({ ...row, owes_recovery: 0 })),
    );
  }
  return content;
}

function migrated(table: string, row: StoredRow): StoredRow {
  const names = renamed[table] ?? {};
  const renamedRow = Object.fromEntries(Object.entries(row).map(([name, value]) => [names[name] ?? name, value]));
  const whole = { ...added[table]?.(row), ...renamedRow };
  // This column was moved to a separate table.
  if (table === 'node_sessions') delete whole['sessions'];
  return whole;
}

const text = (value: Value | undefined): string => (value === null || value === undefined ? '' : String(value));
const amount = (value: Value | undefined): bigint => BigInt(value === null || value === undefined ? 0 : String(value));

function totalsOf(ledger: readonly StoredRow[]): readonly StoredRow[] {
  const sums = new Map<string, { key: StoredRow; entries: number; amount: bigint; stakers: bigint }>();
  for (const row of ledger) {
    const { kind = null, node = null, provider, denom, detail } = row;
    const key = {
      ...{ kind, node, provider: text(provider), account: '', denom: text(denom) },
      detail: kind === 'lease_ended' ? text(detail) : '',
    };
    const name = JSON.stringify(key);
    const sum = sums.get(name) ?? { key, entries: 0, amount: 0n, stakers: 0n };
    sum.entries += 1;
    sum.amount += amount(row['amount']);
    sum.stakers += amount(row['stakers']);
    sums.set(name, sum);
  }
  return [...sums.values()].map(({ key, entries, amount: sum, stakers }) => ({
    ...key,
    ...{ entries, amount: String(sum), stakers: String(stakers) },
  }));
}

/** Leases with payments and without an end in the ledger. */
function payoutsOf(ledger: readonly StoredRow[]): readonly StoredRow[] {
  const ended = new Set(ledger.filter(({ kind }) => kind === 'lease_ended').map(({ record }) => record));
  const leases = new Map<string, StoredRow[]>();
  for (const row of ledger) {
    if (row['kind'] !== 'lease_paid' || ended.has(row['record'] ?? null)) continue;
    const lease = text(row['record']);
    leases.set(lease, [...(leases.get(lease) ?? []), row]);
  }
  const greatest = (rows: readonly StoredRow[], name: string): string =>
    rows
      .map((row) => text(row[name]))
      .toSorted()
      .at(-1) ?? '';
  return [...leases].map(([lease, rows]) => ({
    ...{ lease, node: greatest(rows, 'node'), provider: greatest(rows, 'provider'), payouts: rows.length },
  }));
}

function piecesOf(nodes: readonly StoredRow[]): readonly StoredRow[] {
  return nodes
    .filter(({ sessions }) => text(sessions) !== '')
    .map(({ node = null, sessions = null }) => ({ node, first: '0', sessions }));
}

/**
 * The last notified state of each subject: an unsent recovery takes precedence over a firing alert, and later alerts over
 * earlier ones.
 */
function toldOf(alerts: readonly StoredRow[]): readonly StoredRow[] {
  const owes = (row: StoredRow): number => Number(row['owes_recovery'] ?? 0);
  const told = alerts
    .filter((row) => owes(row) === 1 || (row['state'] === 'firing' && row['notified'] === 1))
    .toSorted((a, b) => owes(b) - owes(a) || Number(a['since_ms']) - Number(b['since_ms']));
  return [...new Map(told.map((row) => [JSON.stringify([row['rule'], row['subject']]), row])).values()].map((row) => {
    const { rule = null, subject = null, id = null, severity = null, title = null } = row;
    const groupId = row['group_id'] ?? null;
    const isOwed = owes(row) === 1;
    const owed = isOwed ? { kind: 'recovered', title: `${text(title)}: over`, text: '' } : null;
    const state = { rule, subject, severity, title, isFiring: true, alertId: id, stream: groupId ?? id, groupId, owed };
    return { rule, subject, state: JSON.stringify(state) };
  });
}

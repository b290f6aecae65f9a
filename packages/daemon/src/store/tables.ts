import type { Store } from './store.js';

/** Row and time limits of tables. */
export const limits = {
  heartbeatsOfNode: 21,
  endedAlerts: 5_000,
  endedNotices: 5_000,
  changesOfSubject: 50,
  changesOfKind: 5_000,
  /** One week. */
  sessionHoursOfNode: 168,
  leaseRecords: 20_000,
  endedSilencesMs: 30 * 86_400_000,
} as const;

/**
 * Kind of the value that stores the automatically chosen chain when none is configured. It is written once and never changes.
 */
export const chosenChainKind = 'chosen chain';

/** Inputs that determine which rows are old. */
export interface PruneMoment {
  readonly nowMs: number;
  /** Rows unchanged since this time are old: now minus `store.keep`. */
  readonly oldMs: number;
  /** Whether an address is in the configuration. */
  readonly isWatched: (address: string) => boolean;
}

/** Content and retention of a table. */
export interface TableDeclaration {
  readonly name: string;
  /** Tables of a group are copied together, because a part of them alone would be inconsistent. */
  readonly group: string;
  /** Retention of its rows, as text for people. */
  readonly kept: string;
  /** Deletes old rows; absent if the writers or the live state bound the table. */
  readonly prune?: (store: Store, moment: PruneMoment) => void;
}

/**
 * All tables of the schema, in copy order. A copy may stop early, so notices come before the tables that depend on them. A new
 * table is a migration and a line here.
 */
export const tables: readonly TableDeclaration[] = [
  {
    name: 'alerts',
    group: 'alerts and notices',
    kept: `alerts that are pending or firing; the last ${limits.endedAlerts} that ended, for \`store.keep\``,
    prune: (store, { oldMs }) =>
      store.run("DELETE FROM alerts WHERE state = 'resolved' AND COALESCE(ended_clock_ms, ended_ms) < ?", oldMs),
  },
  {
    name: 'told',
    group: 'alerts and notices',
    kept: 'the last notice about each rule and subject, until its closing notice',
  },
  {
    name: 'outbox',
    group: 'alerts and notices',
    kept: `notices that wait; the last ${limits.endedNotices} that were delivered, replaced or given up, for \`store.keep\``,
    // The last number is kept so that it is not assigned to another notice.
    prune: (store, { oldMs }) =>
      store.run(
        "DELETE FROM outbox WHERE state <> 'waiting' AND ended_ms < ? AND seq < (SELECT MAX(seq) FROM outbox)",
        oldMs,
      ),
  },
  {
    name: 'silences',
    group: 'silences',
    kept: `until ${limits.endedSilencesMs / 86_400_000} days after their end`,
    prune: (store, { nowMs }) => store.run('DELETE FROM silences WHERE until_ms < ?', nowMs - limits.endedSilencesMs),
  },
  { name: 'ledger', group: 'ledger', kept: 'the newest `store.ledger_rows` entries, whatever their age' },
  { name: 'ledger_gaps', group: 'ledger', kept: 'gaps above the oldest entry' },
  { name: 'ledger_subjects', group: 'ledger', kept: 'one row for each watched address' },
  {
    name: 'ledger_totals',
    group: 'ledger',
    kept: 'sums of watched addresses; those of others until their entries are pruned',
  },
  { name: 'ledger_payouts', group: 'ledger', kept: 'one row for each lease that runs' },
  { name: 'facts', group: 'ledger', kept: 'one row for each name, all of them fixed' },
  {
    name: 'heartbeats',
    group: 'heartbeats',
    kept: `the last ${limits.heartbeatsOfNode} of each node, until \`store.keep\` after the last one`,
    prune: (store, { oldMs }) =>
      store.run(
        'DELETE FROM heartbeats WHERE node IN (SELECT node FROM heartbeats GROUP BY node HAVING MAX(at_ms) < ?)',
        oldMs,
      ),
  },
  {
    name: 'seen_values',
    group: 'changes',
    kept: 'the last values of each subject, until `store.keep` after they were last read; a chosen chain for good',
    prune(store, { nowMs, oldMs }) {
      // Values stored before this column existed count as read now.
      store.run('UPDATE seen_values SET noted_ms = ? WHERE noted_ms = 0', nowMs);
      store.run(
        `DELETE FROM seen_values WHERE kind <> ? AND (kind, subject) IN
           (SELECT kind, subject FROM seen_values GROUP BY kind, subject HAVING MAX(noted_ms) < ?)`,
        chosenChainKind,
        oldMs,
      );
    },
  },
  {
    name: 'changes',
    group: 'changes',
    kept: `the last ${limits.changesOfSubject} of each subject and ${limits.changesOfKind} of each kind, for \`store.keep\``,
    prune: (store, { oldMs }) => store.run('DELETE FROM changes WHERE at_ms < ?', oldMs),
  },
  {
    name: 'change_counts',
    group: 'changes',
    kept: 'one row for each subject in `seen_values`',
    prune: (store) =>
      store.run(
        `DELETE FROM change_counts WHERE NOT EXISTS
           (SELECT 1 FROM seen_values WHERE kind = change_counts.kind AND subject = change_counts.subject)`,
      ),
  },
  {
    name: 'node_sessions',
    group: 'sessions',
    kept: 'one row for each watched node; for others until `store.keep` after their last hour',
    prune: (store, moment) => {
      for (const node of nodesWithoutSessions(store, moment))
        store.run('DELETE FROM node_sessions WHERE node = ?', node);
    },
  },
  {
    name: 'session_pieces',
    group: 'sessions',
    kept: 'the sessions of each node in `node_sessions` at its last poll',
    prune: (store, { isWatched }) => {
      const nodes = store.all(
        'SELECT DISTINCT node FROM session_pieces WHERE node NOT IN (SELECT node FROM node_sessions)',
      );
      for (const { node } of nodes)
        if (!isWatched(String(node))) store.run('DELETE FROM session_pieces WHERE node = ?', String(node));
    },
  },
  {
    name: 'session_hours',
    group: 'sessions',
    kept: `the last ${limits.sessionHoursOfNode} of each node, until \`store.keep\` after the last one`,
    prune: (store, { oldMs }) =>
      store.run(
        'DELETE FROM session_hours WHERE node IN (SELECT node FROM session_hours GROUP BY node HAVING MAX(hour) < ?)',
        Math.floor(oldMs / 3_600_000),
      ),
  },
  { name: 'sweeps', group: 'sweeps', kept: 'the last result of each list' },
  {
    name: 'lease_records',
    group: 'lease records',
    kept: `the ${limits.leaseRecords} that were read at the greatest heights`,
  },
];

/**
 * Nodes that are no longer watched and whose last hour of sessions is old. A node without a stored hour was watched for less
 * than an hour.
 */
function nodesWithoutSessions(store: Store, { oldMs, isWatched }: PruneMoment): readonly string[] {
  return store
    .all(
      'SELECT node FROM node_sessions WHERE node NOT IN (SELECT node FROM session_hours WHERE hour >= ?)',
      Math.floor(oldMs / 3_600_000),
    )
    .map(({ node }) => String(node))
    .filter((node) => !isWatched(node));
}

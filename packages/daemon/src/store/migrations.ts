/**
 * Migrations in order; the file's `user_version` counts the applied ones. Never edit a released migration. After adding one,
 * run `tools/proofs/src/store-migrations/write-stores.ts`, which writes a store of the new version as a fixture.
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE heartbeats (
    node TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    PRIMARY KEY (node, at_ms)
  ) WITHOUT ROWID;

  CREATE TABLE alerts (
    id TEXT PRIMARY KEY,
    rule TEXT NOT NULL,
    subject TEXT NOT NULL,
    term TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('pending', 'firing', 'resolved')),
    severity TEXT NOT NULL,
    since_ms INTEGER NOT NULL,
    firing_ms INTEGER,
    ended_ms INTEGER,
    notified INTEGER NOT NULL DEFAULT 0,
    title TEXT NOT NULL,
    text TEXT NOT NULL
  );
  CREATE UNIQUE INDEX alerts_active ON alerts (rule, subject, term) WHERE state <> 'resolved';
  CREATE INDEX alerts_ended ON alerts (ended_ms) WHERE state = 'resolved';

  CREATE TABLE outbox (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    alert_id TEXT NOT NULL,
    thread_id TEXT NOT NULL,
    channel TEXT NOT NULL,
    notice TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    last_failure TEXT,
    state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'delivered', 'dead')),
    ended_ms INTEGER
  );
  CREATE INDEX outbox_waiting ON outbox (channel, seq) WHERE state = 'waiting';
  CREATE INDEX outbox_thread ON outbox (alert_id, channel, seq);

  CREATE TABLE ledger (
    height INTEGER NOT NULL,
    position INTEGER NOT NULL,
    node TEXT NOT NULL,
    kind TEXT NOT NULL,
    lease_id TEXT,
    amount TEXT,
    denom TEXT,
    provider TEXT,
    PRIMARY KEY (height, position)
  ) WITHOUT ROWID;
  CREATE INDEX ledger_node ON ledger (node, height);

  CREATE TABLE ledger_gaps (first INTEGER PRIMARY KEY, last INTEGER NOT NULL, reason TEXT NOT NULL) WITHOUT ROWID;

  CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  `,
  'ALTER TABLE ledger ADD COLUMN block_ms INTEGER',
  // One row per recipient, so that no recipient gets a notice twice; rows without a recipient apply to all.
  `
  CREATE TABLE outbox_by_recipient (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL,
    recipient TEXT NOT NULL,
    stream TEXT NOT NULL,
    thread_id TEXT NOT NULL,
    channel TEXT NOT NULL,
    notice TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    last_failure TEXT,
    is_short INTEGER NOT NULL DEFAULT 0,
    state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'delivered', 'dead')),
    ended_ms INTEGER,
    UNIQUE (id, recipient)
  );
  INSERT INTO outbox_by_recipient (seq, id, recipient, stream, thread_id, channel, notice, created_ms, attempts, last_failure, state, ended_ms)
    SELECT seq, id, '', alert_id, thread_id, channel, notice, created_ms, attempts, last_failure, state, ended_ms FROM outbox;
  DROP TABLE outbox;
  ALTER TABLE outbox_by_recipient RENAME TO outbox;
  CREATE INDEX outbox_waiting ON outbox (channel, seq) WHERE state = 'waiting';
  CREATE INDEX outbox_stream ON outbox (stream, channel, seq);
  CREATE INDEX outbox_dead ON outbox (channel, ended_ms) WHERE state = 'dead';
  `,
  `
  ALTER TABLE alerts ADD COLUMN group_id TEXT;
  ALTER TABLE alerts ADD COLUMN owes_recovery INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX alerts_owing ON alerts (ended_ms) WHERE owes_recovery = 1;
  `,
  // Also for sessions, subscriptions and providers: a record need not be a lease, and a gap may be filled later.
  `
  ALTER TABLE ledger RENAME COLUMN lease_id TO record;
  ALTER TABLE ledger ADD COLUMN account TEXT NOT NULL DEFAULT '';
  ALTER TABLE ledger ADD COLUMN stakers TEXT;
  ALTER TABLE ledger ADD COLUMN detail TEXT;
  CREATE INDEX ledger_record ON ledger (record, height);
  CREATE INDEX ledger_time ON ledger (block_ms);
  ALTER TABLE ledger_gaps ADD COLUMN is_open INTEGER NOT NULL DEFAULT 1;
  `,
  `
  ALTER TABLE alerts ADD COLUMN fired_clock_ms INTEGER;
  ALTER TABLE alerts ADD COLUMN ended_clock_ms INTEGER;
  `,
  `
  CREATE TABLE silences (
    id TEXT PRIMARY KEY,
    rule TEXT,
    subject TEXT,
    from_ms INTEGER NOT NULL,
    until_ms INTEGER NOT NULL,
    comment TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX silences_until ON silences (until_ms);
  `,
  'ALTER TABLE ledger ADD COLUMN hours INTEGER',
  // Heights are text: they are 64 bits on the wire.
  `
  CREATE TABLE seen_values (
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    field TEXT NOT NULL,
    value TEXT NOT NULL,
    height TEXT,
    PRIMARY KEY (kind, subject, field)
  ) WITHOUT ROWID;
  CREATE TABLE changes (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    field TEXT NOT NULL,
    before TEXT NOT NULL,
    after TEXT NOT NULL,
    height TEXT,
    at_ms INTEGER NOT NULL
  );
  CREATE INDEX changes_subject ON changes (kind, subject, seq);
  CREATE TABLE change_counts (
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (kind, subject)
  ) WITHOUT ROWID;
  `,
  // Sums remain when rows are pruned. Decimal strings are added in two halves, because an SQL integer holds 18 digits.
  `
  CREATE TABLE ledger_totals (
    kind TEXT NOT NULL,
    node TEXT NOT NULL,
    provider TEXT NOT NULL,
    account TEXT NOT NULL,
    denom TEXT NOT NULL,
    detail TEXT NOT NULL,
    entries INTEGER NOT NULL,
    amount TEXT NOT NULL,
    stakers TEXT NOT NULL,
    PRIMARY KEY (kind, node, provider, account, denom, detail)
  ) WITHOUT ROWID;
  INSERT INTO ledger_totals
    SELECT kind, node, provider, '', denom, detail, entries,
      CASE WHEN high + low / 1000000000000000 = 0 THEN CAST(low AS TEXT)
        ELSE printf('%d%015d', high + low / 1000000000000000, low % 1000000000000000) END,
      CASE WHEN stakers_high + stakers_low / 1000000000000000 = 0 THEN CAST(stakers_low AS TEXT)
        ELSE printf('%d%015d', stakers_high + stakers_low / 1000000000000000, stakers_low % 1000000000000000) END
    FROM (
      SELECT kind, node, IFNULL(provider, '') AS provider, IFNULL(denom, '') AS denom,
        CASE kind WHEN 'lease_ended' THEN IFNULL(detail, '') ELSE '' END AS detail,
        COUNT(*) AS entries,
        SUM(CAST(substr(amount, 1, MAX(length(amount) - 15, 0)) AS INTEGER)) AS high,
        SUM(CAST(substr(amount, -15) AS INTEGER)) AS low,
        SUM(CAST(substr(stakers, 1, MAX(length(stakers) - 15, 0)) AS INTEGER)) AS stakers_high,
        SUM(CAST(substr(stakers, -15) AS INTEGER)) AS stakers_low
      FROM (
        SELECT kind, node, provider, denom, detail, IFNULL(amount, '0') AS amount, IFNULL(stakers, '0') AS stakers
        FROM ledger
      )
      GROUP BY 1, 2, 3, 4, 5
    );

  CREATE TABLE ledger_payouts (
    lease TEXT PRIMARY KEY,
    node TEXT NOT NULL,
    provider TEXT NOT NULL,
    payouts INTEGER NOT NULL
  ) WITHOUT ROWID;
  INSERT INTO ledger_payouts
    SELECT record, MAX(node), MAX(IFNULL(provider, '')), COUNT(*) FROM ledger AS paid
    WHERE kind = 'lease_paid'
      AND NOT EXISTS (SELECT 1 FROM ledger WHERE record = paid.record AND kind = 'lease_ended')
    GROUP BY record;
  `,
  `
  CREATE TABLE sweeps (
    collection TEXT PRIMARY KEY,
    endpoint TEXT NOT NULL,
    height TEXT NOT NULL,
    records INTEGER NOT NULL,
    completed_ms REAL NOT NULL,
    sums TEXT NOT NULL
  ) WITHOUT ROWID;
  `,
  // `sessions` contains columns of numbers, see session-columns.ts.
  `
  CREATE TABLE node_sessions (
    node TEXT PRIMARY KEY,
    download TEXT NOT NULL,
    upload TEXT NOT NULL,
    sessions TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE session_hours (
    node TEXT NOT NULL,
    hour INTEGER NOT NULL,
    average REAL NOT NULL,
    PRIMARY KEY (node, hour)
  ) WITHOUT ROWID;
  `,
  `
  CREATE TABLE ledger_subjects (address TEXT PRIMARY KEY, first INTEGER NOT NULL) WITHOUT ROWID;
  `,
  // Sessions of a node in pieces; each has the id at which its range starts.
  `
  CREATE TABLE session_pieces (
    node TEXT NOT NULL,
    first TEXT NOT NULL,
    sessions TEXT NOT NULL,
    PRIMARY KEY (node, first)
  ) WITHOUT ROWID;
  INSERT INTO session_pieces (node, first, sessions) SELECT node, '0', sessions FROM node_sessions WHERE sessions <> '';
  ALTER TABLE node_sessions DROP COLUMN sessions;
  `,
  "CREATE INDEX ledger_status ON ledger (node, height, position) WHERE kind IN ('node_active', 'node_inactive')",
  `
  ALTER TABLE node_sessions ADD COLUMN reported REAL NOT NULL DEFAULT 0;
  ALTER TABLE node_sessions ADD COLUMN silent INTEGER NOT NULL DEFAULT 0;
  `,
  // For leases that began before their events were stored.
  `
  CREATE TABLE lease_records (
    lease TEXT PRIMARY KEY,
    height INTEGER NOT NULL,
    policy TEXT NOT NULL,
    start_ms REAL NOT NULL,
    hours INTEGER NOT NULL
  ) WITHOUT ROWID;
  `,
  // A notice that a later one supersedes is neither sent nor marked as given up.
  `
  CREATE TABLE outbox_overtaken (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL,
    recipient TEXT NOT NULL,
    stream TEXT NOT NULL,
    thread_id TEXT NOT NULL,
    channel TEXT NOT NULL,
    notice TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    last_failure TEXT,
    is_short INTEGER NOT NULL DEFAULT 0,
    state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'delivered', 'overtaken', 'dead')),
    ended_ms INTEGER,
    UNIQUE (id, recipient)
  );
  INSERT INTO outbox_overtaken (seq, id, recipient, stream, thread_id, channel, notice, created_ms, attempts, last_failure, is_short, state, ended_ms)
    SELECT seq, id, recipient, stream, thread_id, channel, notice, created_ms, attempts, last_failure, is_short, state, ended_ms FROM outbox;
  DROP TABLE outbox;
  ALTER TABLE outbox_overtaken RENAME TO outbox;
  CREATE INDEX outbox_waiting ON outbox (channel, seq) WHERE state = 'waiting';
  CREATE INDEX outbox_stream ON outbox (stream, channel, seq);
  CREATE INDEX outbox_dead ON outbox (channel, ended_ms) WHERE state = 'dead';
  `,
  // `hold_since_ms` is the time of day for rules that use the clock, and NULL while the hold does not run.
  `
  ALTER TABLE alerts ADD COLUMN hold_ran_ms INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE alerts ADD COLUMN hold_since_ms INTEGER;
  UPDATE alerts SET hold_since_ms = since_ms WHERE state = 'pending';
  CREATE TABLE told (
    rule TEXT NOT NULL,
    subject TEXT NOT NULL,
    state TEXT NOT NULL,
    PRIMARY KEY (rule, subject)
  ) WITHOUT ROWID;
  INSERT OR REPLACE INTO told
    SELECT rule, subject, json_object(
      'rule', rule, 'subject', subject, 'severity', severity, 'title', title, 'isFiring', json('true'), 'alertId', id,
      'stream', IFNULL(group_id, id), 'groupId', group_id,
      'owed', CASE owes_recovery WHEN 1 THEN json_object('kind', 'recovered', 'title', title || ': over', 'text', '') END
    )
    FROM alerts WHERE owes_recovery = 1 OR (state = 'firing' AND notified = 1)
    ORDER BY owes_recovery DESC, since_ms;
  UPDATE alerts SET owes_recovery = 0;
  `,
  // Time at which a subject was last read, used to remove subjects that are gone; 0 until known.
  'ALTER TABLE seen_values ADD COLUMN noted_ms INTEGER NOT NULL DEFAULT 0',
];

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
  , group_id TEXT, owes_recovery INTEGER NOT NULL DEFAULT 0, fired_clock_ms INTEGER, ended_clock_ms INTEGER);
CREATE UNIQUE INDEX alerts_active ON alerts (rule, subject, term) WHERE state <> 'resolved';
CREATE INDEX alerts_ended ON alerts (ended_ms) WHERE state = 'resolved';
CREATE TABLE ledger (
    height INTEGER NOT NULL,
    position INTEGER NOT NULL,
    node TEXT NOT NULL,
    kind TEXT NOT NULL,
    record TEXT,
    amount TEXT,
    denom TEXT,
    provider TEXT, block_ms INTEGER, account TEXT NOT NULL DEFAULT '', stakers TEXT, detail TEXT, hours INTEGER,
    PRIMARY KEY (height, position)
  ) WITHOUT ROWID;
CREATE INDEX ledger_node ON ledger (node, height);
CREATE TABLE ledger_gaps (first INTEGER PRIMARY KEY, last INTEGER NOT NULL, reason TEXT NOT NULL, is_open INTEGER NOT NULL DEFAULT 1) WITHOUT ROWID;
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE "outbox" (
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
CREATE INDEX outbox_waiting ON outbox (channel, seq) WHERE state = 'waiting';
CREATE INDEX outbox_stream ON outbox (stream, channel, seq);
CREATE INDEX outbox_dead ON outbox (channel, ended_ms) WHERE state = 'dead';
CREATE INDEX alerts_owing ON alerts (ended_ms) WHERE owes_recovery = 1;
CREATE INDEX ledger_record ON ledger (record, height);
CREATE INDEX ledger_time ON ledger (block_ms);
CREATE TABLE silences (
    id TEXT PRIMARY KEY,
    rule TEXT,
    subject TEXT,
    from_ms INTEGER NOT NULL,
    until_ms INTEGER NOT NULL,
    comment TEXT NOT NULL
  ) WITHOUT ROWID;
CREATE INDEX silences_until ON silences (until_ms);
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
CREATE TABLE ledger_payouts (
    lease TEXT PRIMARY KEY,
    node TEXT NOT NULL,
    provider TEXT NOT NULL,
    payouts INTEGER NOT NULL
  ) WITHOUT ROWID;
CREATE TABLE sweeps (
    collection TEXT PRIMARY KEY,
    endpoint TEXT NOT NULL,
    height TEXT NOT NULL,
    records INTEGER NOT NULL,
    completed_ms REAL NOT NULL,
    sums TEXT NOT NULL
  ) WITHOUT ROWID;
INSERT INTO heartbeats (node, at_ms) VALUES ('sentnode1b', 1801030883354);
INSERT INTO heartbeats (node, at_ms) VALUES ('sentnode1c', 1800171854873);
INSERT INTO heartbeats (node, at_ms) VALUES ('sentnode1c', 1801305104376);
INSERT INTO heartbeats (node, at_ms) VALUES ('sentnode1d', 1800901891057);
INSERT INTO alerts (id, rule, subject, term, state, severity, since_ms, firing_ms, ended_ms, notified, title, text, group_id, owes_recovery, fired_clock_ms, ended_clock_ms) VALUES ('alert 615118189', 'HubNodeInactive', 'it''s395', '"quoted"582', 'resolved', 'critical', 1800898543937, 1801729550715, 1800003600000, 1, 'it''s56', '%_\977', NULL, 0, 1800745636600, 1801238393348);
INSERT INTO alerts (id, rule, subject, term, state, severity, since_ms, firing_ms, ended_ms, notified, title, text, group_id, owes_recovery, fired_clock_ms, ended_clock_ms) VALUES ('alert 2706803424', 'HubNodeInactive', '841', 'two
lines526', 'pending', 'critical', 1800190912156, NULL, NULL, 1, 'two
lines466', '"quoted"48', 'two
lines759', 0, 1800746947866, 1800343969434);
INSERT INTO alerts (id, rule, subject, term, state, severity, since_ms, firing_ms, ended_ms, notified, title, text, group_id, owes_recovery, fired_clock_ms, ended_clock_ms) VALUES ('alert 2593058195', 'HubEndpointDown', '"quoted"937', 'NULL629', 'firing', 'critical', 1800933852517, 1801104894355, NULL, 1, '"quoted"408', 'plain79', 'ключ 🔑514', 0, 1801335820024, 1802064522910);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail, hours) VALUES (214378432, 0, 'sentnode1b', 'node_inactive', '', NULL, 'uother', 'sentprov1a', NULL, '', NULL, 'plain632', 738938);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail, hours) VALUES (281443578, 2, 'sentnode1b', 'lease_ended', '49', NULL, 'udvpn', NULL, 1800342977131, 'sent1a', '46818044497752', '%_\922', 710473);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail, hours) VALUES (676278082, 0, 'sentnode1a', 'session_paid', '190', NULL, 'uother', 'sentprov1b', 1801633561640, '', NULL, 'two
lines627', NULL);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail, hours) VALUES (747660023, 2, 'sentnode1a', 'node_inactive', '', NULL, 'udvpn', 'sentprov1a', NULL, '', NULL, 'plain897', 460923);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail, hours) VALUES (1014399367, 3, 'sentnode1a', 'node_inactive', '', NULL, NULL, NULL, 1800018141607, '', '1945860879546', '%_\252', 138887);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail, hours) VALUES (1144487646, 0, 'sentnode1d', 'lease_paid', '231', '0', 'udvpn', NULL, 1800136789747, '', '50785054463099797', '168', 394926);
INSERT INTO ledger_gaps (first, last, reason, is_open) VALUES (133661, 896990, '"quoted"711', 1);
INSERT INTO ledger_gaps (first, last, reason, is_open) VALUES (427994, 756505, 'two
lines949', 1);
INSERT INTO ledger_gaps (first, last, reason, is_open) VALUES (714846, 703711, '717', 0);
INSERT INTO ledger_gaps (first, last, reason, is_open) VALUES (783758, 965936, 'two
lines224', 0);
INSERT INTO facts (name, value) VALUES ('168', '943');
INSERT INTO outbox (seq, id, recipient, stream, thread_id, channel, notice, created_ms, attempts, last_failure, is_short, state, ended_ms) VALUES (1, 'notice 421882445', '"quoted"715', '%_\610', '0552', 'telegram', '{"id":"notice 421882445","threadId":"0552","kind":"firing","rule":"R","severity":"warning","title":"\"quoted\"98","text":"ключ 🔑448","atMs":1800000000000}', 1801932698532, 99691, 'two
lines671', 1, 'waiting', NULL);
INSERT INTO outbox (seq, id, recipient, stream, thread_id, channel, notice, created_ms, attempts, last_failure, is_short, state, ended_ms) VALUES (2, 'notice 3651442098', '391', '0418', '0343', 'email', '{"id":"notice 3651442098","threadId":"0343","kind":"firing","rule":"R","severity":"warning","title":"plain65","text":"NULL746","atMs":1800000000000}', 1801186582081, 793314, '{"a":1}955', 1, 'waiting', NULL);
INSERT INTO silences (id, rule, subject, from_ms, until_ms, comment) VALUES ('"quoted"12', NULL, 'two
lines5', 1800094458750, 1800064871152, '"quoted"501');
INSERT INTO seen_values (kind, subject, field, value, height) VALUES ('NULL911', 'it''s348', 'plain155', '414', '%_\395');
INSERT INTO changes (seq, kind, subject, field, before, after, height, at_ms) VALUES (1, 'two
lines311', '{"a":1}653', '{"a":1}393', '%_\463', 'two
lines421', '"quoted"635', 1800140393530);
INSERT INTO changes (seq, kind, subject, field, before, after, height, at_ms) VALUES (2, '{"a":1}126', '{"a":1}222', 'NULL729', 'plain961', 'two
lines357', NULL, 1800026817690);
INSERT INTO changes (seq, kind, subject, field, before, after, height, at_ms) VALUES (3, 'NULL132', 'ключ 🔑856', 'NULL150', '0399', 'ключ 🔑352', '28', 1800562938062);
INSERT INTO changes (seq, kind, subject, field, before, after, height, at_ms) VALUES (4, '297', '{"a":1}465', 'it''s522', '{"a":1}759', '0192', 'plain699', 1800673925387);
INSERT INTO change_counts (kind, subject, count) VALUES ('{"a":1}260', 'plain658', 195919);
INSERT INTO ledger_totals (kind, node, provider, account, denom, detail, entries, amount, stakers) VALUES ('it''s12', 'sentnode1a', 'sentprov1a', '"quoted"517', 'udvpn', '0719', 714406, '22079085', '5969121027');
INSERT INTO ledger_payouts (lease, node, provider, payouts) VALUES ('NULL868', 'sentnode1b', 'sentprov1a', 148663);
INSERT INTO ledger_payouts (lease, node, provider, payouts) VALUES ('plain241', 'sentnode1d', 'sentprov1a', 68892);
INSERT INTO ledger_payouts (lease, node, provider, payouts) VALUES ('two
lines39', 'sentnode1c', 'sentprov1b', 672313);
INSERT INTO ledger_payouts (lease, node, provider, payouts) VALUES ('ключ 🔑210', 'sentnode1d', 'sentprov1b', 650809);
INSERT INTO sweeps (collection, endpoint, height, records, completed_ms, sums) VALUES ('"quoted"310', 'ключ 🔑807', '055', 276489, 1800843139339, '[]');
PRAGMA user_version = 11;

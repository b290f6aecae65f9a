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
INSERT INTO heartbeats (node, at_ms) VALUES ('sentnode1c', 1800564183540);
INSERT INTO heartbeats (node, at_ms) VALUES ('sentnode1c', 1801498977459);
INSERT INTO heartbeats (node, at_ms) VALUES ('sentnode1d', 1800281023262);
INSERT INTO alerts (id, rule, subject, term, state, severity, since_ms, firing_ms, ended_ms, notified, title, text, group_id, owes_recovery, fired_clock_ms, ended_clock_ms) VALUES ('alert 1330153052', 'HubNodeInactive', '%_\641', '"quoted"535', 'firing', 'warning', 1801876230102, NULL, NULL, 0, 'NULL204', 'ключ 🔑494', NULL, 0, 1800422620324, NULL);
INSERT INTO alerts (id, rule, subject, term, state, severity, since_ms, firing_ms, ended_ms, notified, title, text, group_id, owes_recovery, fired_clock_ms, ended_clock_ms) VALUES ('alert 3154722689', 'HubEndpointDown', '0567', 'plain517', 'resolved', 'critical', 1801239241004, 1801145749539, 1800003600000, 0, '0596', '{"a":1}553', '0917', 0, 1800204100745, 1801374602996);
INSERT INTO alerts (id, rule, subject, term, state, severity, since_ms, firing_ms, ended_ms, notified, title, text, group_id, owes_recovery, fired_clock_ms, ended_clock_ms) VALUES ('alert 2558801108', 'HubChainHalted', '0122', '0685', 'pending', 'critical', 1800693142676, NULL, NULL, 1, 'ключ 🔑320', 'ключ 🔑283', 'plain819', 0, 1802025903057, 1800074668627);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail, hours) VALUES (64354214, 1, 'sentnode1c', 'lease_ended', '393', '27713135779592649', 'udvpn', 'sentprov1b', 1800134305949, '', '11762937', '%_\898', 184679);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail, hours) VALUES (82786007, 2, 'sentnode1b', 'node_active', '', NULL, NULL, 'sentprov1b', 1801778385318, 'sent1a', '116626862', 'plain398', 521911);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail, hours) VALUES (857769020, 1, 'sentnode1c', 'lease_paid', '33', '9270066', 'udvpn', 'sentprov1b', 1801644135204, 'sent1a', NULL, '"quoted"379', 143252);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail, hours) VALUES (1344663218, 0, 'sentnode1c', 'lease_created', '371', '99460393572167900124587', 'udvpn', 'sentprov1a', 1801037427012, 'sent1a', '6349790', 'NULL991', NULL);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail, hours) VALUES (1949428009, 2, 'sentnode1c', 'lease_paid', '41', NULL, 'uother', NULL, NULL, '', '40660831040', NULL, 949828);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail, hours) VALUES (2046755432, 3, 'sentnode1b', 'session_paid', '126', '61', NULL, NULL, NULL, 'sent1a', NULL, '{"a":1}832', 948018);
INSERT INTO ledger_gaps (first, last, reason, is_open) VALUES (208946, 411697, 'it''s480', 1);
INSERT INTO ledger_gaps (first, last, reason, is_open) VALUES (534781, 542059, '{"a":1}756', 1);
INSERT INTO facts (name, value) VALUES ('NULL139', 'it''s861');
INSERT INTO facts (name, value) VALUES ('NULL437', 'it''s80');
INSERT INTO facts (name, value) VALUES ('NULL769', 'ключ 🔑26');
INSERT INTO facts (name, value) VALUES ('{"a":1}836', '0484');
INSERT INTO outbox (seq, id, recipient, stream, thread_id, channel, notice, created_ms, attempts, last_failure, is_short, state, ended_ms) VALUES (1, 'notice 4153513507', 'two
lines480', '0297', 'two
lines103', 'email', '{"id":"notice 4153513507","threadId":"two\nlines103","kind":"firing","rule":"R","severity":"warning","title":"two\nlines847","text":"ключ 🔑393","atMs":1800000000000}', 1801982847293, 625852, 'ключ 🔑738', 0, 'waiting', NULL);
INSERT INTO outbox (seq, id, recipient, stream, thread_id, channel, notice, created_ms, attempts, last_failure, is_short, state, ended_ms) VALUES (2, 'notice 2006674882', '"quoted"716', '"quoted"650', 'plain474', 'email', '{"id":"notice 2006674882","threadId":"plain474","kind":"firing","rule":"R","severity":"warning","title":"%_\\459","text":"0805","atMs":1800000000000}', 1801859360204, 313943, 'plain854', 1, 'waiting', NULL);
INSERT INTO outbox (seq, id, recipient, stream, thread_id, channel, notice, created_ms, attempts, last_failure, is_short, state, ended_ms) VALUES (3, 'notice 2907246119', 'ключ 🔑561', '116', 'plain878', 'telegram', '{"id":"notice 2907246119","threadId":"plain878","kind":"firing","rule":"R","severity":"warning","title":"two\nlines884","text":"NULL399","atMs":1800000000000}', 1801602746342, 639570, '"quoted"288', 1, 'dead', 1800000000000);
INSERT INTO silences (id, rule, subject, from_ms, until_ms, comment) VALUES ('%_\958', NULL, 'ключ 🔑265', 1800889927876, 1802010964482, 'two
lines143');
INSERT INTO silences (id, rule, subject, from_ms, until_ms, comment) VALUES ('two
lines129', 'HubChainHalted', NULL, 1800262291758, 1801658698278, 'plain49');
INSERT INTO silences (id, rule, subject, from_ms, until_ms, comment) VALUES ('two
lines726', NULL, 'it''s327', 1800781550754, 1800642342089, 'it''s244');
INSERT INTO seen_values (kind, subject, field, value, height) VALUES ('"quoted"14', '{"a":1}304', '%_\201', 'NULL321', 'ключ 🔑907');
INSERT INTO seen_values (kind, subject, field, value, height) VALUES ('it''s525', '547', '490', 'plain779', '"quoted"899');
INSERT INTO seen_values (kind, subject, field, value, height) VALUES ('plain628', '0650', 'ключ 🔑296', 'NULL836', '"quoted"496');
INSERT INTO seen_values (kind, subject, field, value, height) VALUES ('two
lines543', 'plain620', 'two
lines752', 'NULL665', 'NULL776');
INSERT INTO changes (seq, kind, subject, field, before, after, height, at_ms) VALUES (1, '"quoted"923', 'plain127', '{"a":1}202', '"quoted"359', '0580', NULL, 1800265601833);
INSERT INTO change_counts (kind, subject, count) VALUES ('%_\130', '"quoted"808', 445793);
INSERT INTO change_counts (kind, subject, count) VALUES ('two
lines481', '796', 708205);
PRAGMA user_version = 9;

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
INSERT INTO heartbeats (node, at_ms) VALUES ('sentnode1a', 1800073286813);
INSERT INTO heartbeats (node, at_ms) VALUES ('sentnode1b', 1800434407935);
INSERT INTO alerts (id, rule, subject, term, state, severity, since_ms, firing_ms, ended_ms, notified, title, text, group_id, owes_recovery, fired_clock_ms, ended_clock_ms) VALUES ('alert 614009337', 'HubEndpointDown', '"quoted"444', '0291', 'pending', 'warning', 1800834735263, NULL, NULL, 0, '"quoted"517', '512', NULL, 0, NULL, NULL);
INSERT INTO alerts (id, rule, subject, term, state, severity, since_ms, firing_ms, ended_ms, notified, title, text, group_id, owes_recovery, fired_clock_ms, ended_clock_ms) VALUES ('alert 3767823912', 'HubEndpointDown', '{"a":1}795', 'plain444', 'pending', 'critical', 1801469103357, NULL, NULL, 1, '741', '%_\617', 'ключ 🔑388', 0, 1800258779069, 1800473830607);
INSERT INTO alerts (id, rule, subject, term, state, severity, since_ms, firing_ms, ended_ms, notified, title, text, group_id, owes_recovery, fired_clock_ms, ended_clock_ms) VALUES ('alert 1760068534', 'HubNodeInactive', 'NULL423', 'NULL930', 'firing', 'warning', 1802114229204, 1801191428416, NULL, 0, '"quoted"740', 'NULL853', '"quoted"204', 0, 1801938353918, 1801662105051);
INSERT INTO alerts (id, rule, subject, term, state, severity, since_ms, firing_ms, ended_ms, notified, title, text, group_id, owes_recovery, fired_clock_ms, ended_clock_ms) VALUES ('alert 3160064280', 'HubEndpointDown', '"quoted"775', '544', 'pending', 'critical', 1800907428919, NULL, NULL, 0, '893', '"quoted"684', 'ключ 🔑281', 0, 1801248577009, 1801468862300);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail, hours) VALUES (424639420, 3, 'sentnode1a', 'node_inactive', '', NULL, NULL, 'sentprov1a', 1801078977294, '', NULL, 'ключ 🔑905', 352234);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail, hours) VALUES (729629423, 0, 'sentnode1d', 'node_active', '', NULL, NULL, NULL, 1801257379307, '', '643382552953059', '047', 690580);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail, hours) VALUES (1056176751, 2, 'sentnode1a', 'lease_refunded', '365', NULL, 'uother', 'sentprov1a', 1801829317161, 'sent1a', '170709983223715083', 'plain701', 991437);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail, hours) VALUES (1056478131, 1, 'sentnode1a', 'lease_ended', '439', '2223203591932716615614', 'udvpn', NULL, NULL, '', '935257562', 'NULL927', NULL);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail, hours) VALUES (1993194952, 2, 'sentnode1d', 'session_paid', '197', '6872614600', 'uother', 'sentprov1a', 1801023385726, 'sent1a', NULL, '{"a":1}765', 965598);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail, hours) VALUES (2021384623, 2, 'sentnode1d', 'lease_paid', '89', '105484344303486574419589', 'udvpn', 'sentprov1a', 1801222026813, '', '117636420511', 'NULL201', 870189);
INSERT INTO ledger_gaps (first, last, reason, is_open) VALUES (325432, 790422, 'two
lines687', 0);
INSERT INTO facts (name, value) VALUES ('391', 'NULL368');
INSERT INTO facts (name, value) VALUES ('plain81', '"quoted"456');
INSERT INTO facts (name, value) VALUES ('ключ 🔑1', 'it''s768');
INSERT INTO outbox (seq, id, recipient, stream, thread_id, channel, notice, created_ms, attempts, last_failure, is_short, state, ended_ms) VALUES (1, 'notice 1030201095', 'ключ 🔑840', '"quoted"927', 'ключ 🔑414', 'telegram', '{"id":"notice 1030201095","threadId":"ключ 🔑414","kind":"firing","rule":"R","severity":"warning","title":"0158","text":"0520","atMs":1800000000000}', 1802061521850, 953145, NULL, 1, 'waiting', NULL);
INSERT INTO silences (id, rule, subject, from_ms, until_ms, comment) VALUES ('"quoted"728', 'HubNodeInactive', NULL, 1800865392602, 1801274028630, 'ключ 🔑138');
INSERT INTO seen_values (kind, subject, field, value, height) VALUES ('it''s154', '%_\535', '895', 'two
lines399', NULL);
INSERT INTO changes (seq, kind, subject, field, before, after, height, at_ms) VALUES (1, '0766', '%_\728', 'two
lines962', 'two
lines61', '0523', '{"a":1}648', 1801794341085);
INSERT INTO changes (seq, kind, subject, field, before, after, height, at_ms) VALUES (2, 'it''s601', '{"a":1}825', '512', '{"a":1}917', '077', NULL, 1800637007425);
INSERT INTO changes (seq, kind, subject, field, before, after, height, at_ms) VALUES (3, 'ключ 🔑682', 'ключ 🔑393', '{"a":1}909', '"quoted"497', 'it''s682', 'ключ 🔑411', 1800796966101);
INSERT INTO changes (seq, kind, subject, field, before, after, height, at_ms) VALUES (4, '%_\652', 'two
lines301', '"quoted"801', '%_\370', 'it''s400', 'NULL37', 1800656306994);
INSERT INTO change_counts (kind, subject, count) VALUES ('%_\698', '{"a":1}873', 138292);
INSERT INTO change_counts (kind, subject, count) VALUES ('plain784', '990', 713594);
INSERT INTO change_counts (kind, subject, count) VALUES ('two
lines959', 'NULL578', 760789);
INSERT INTO ledger_totals (kind, node, provider, account, denom, detail, entries, amount, stakers) VALUES ('%_\406', 'sentnode1d', 'sentprov1a', '%_\150', 'udvpn', 'plain734', 865575, '967476994193', '32575');
INSERT INTO ledger_totals (kind, node, provider, account, denom, detail, entries, amount, stakers) VALUES ('0462', 'sentnode1d', 'sentprov1b', '%_\671', 'udvpn', 'two
lines426', 427242, '1401028001027538', '4');
INSERT INTO ledger_totals (kind, node, provider, account, denom, detail, entries, amount, stakers) VALUES ('plain880', 'sentnode1d', 'sentprov1b', 'two
lines592', 'udvpn', 'plain34', 644609, '7391852337', '6240');
INSERT INTO ledger_totals (kind, node, provider, account, denom, detail, entries, amount, stakers) VALUES ('two
lines404', 'sentnode1b', 'sentprov1a', '"quoted"570', 'uother', '"quoted"961', 288021, '53596794031749809', '36494340213');
INSERT INTO ledger_payouts (lease, node, provider, payouts) VALUES ('plain895', 'sentnode1d', 'sentprov1a', 693913);
PRAGMA user_version = 10;

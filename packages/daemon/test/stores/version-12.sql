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
INSERT INTO heartbeats (node, at_ms) VALUES ('sentnode1a', 1801494656764);
INSERT INTO alerts (id, rule, subject, term, state, severity, since_ms, firing_ms, ended_ms, notified, title, text, group_id, owes_recovery, fired_clock_ms, ended_clock_ms) VALUES ('alert 2657360579', 'HubNodeInactive', '0326', 'ключ 🔑749', 'firing', 'critical', 1802142067963, NULL, NULL, 0, 'two
lines235', 'plain399', NULL, 0, NULL, 1800365194792);
INSERT INTO alerts (id, rule, subject, term, state, severity, since_ms, firing_ms, ended_ms, notified, title, text, group_id, owes_recovery, fired_clock_ms, ended_clock_ms) VALUES ('alert 2557173917', 'HubEndpointDown', 'it''s399', '%_\170', 'pending', 'critical', 1800321164717, NULL, NULL, 0, '"quoted"412', 'NULL70', '"quoted"224', 0, NULL, 1800004723085);
INSERT INTO alerts (id, rule, subject, term, state, severity, since_ms, firing_ms, ended_ms, notified, title, text, group_id, owes_recovery, fired_clock_ms, ended_clock_ms) VALUES ('alert 2291085038', 'HubEndpointDown', 'plain43', 'ключ 🔑562', 'resolved', 'warning', 1801286550720, 1800620363501, 1800003600000, 1, 'plain888', '254', 'it''s492', 0, 1800845790654, 1800263752486);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail, hours) VALUES (184355777, 3, 'sentnode1d', 'lease_ended', '327', '14640283641769946839664964', NULL, NULL, NULL, '', '3381413453128', '{"a":1}1', 703193);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail, hours) VALUES (769285917, 3, 'sentnode1c', 'lease_created', '123', '25807774105652660', NULL, 'sentprov1b', 1800956310112, '', '207', 'NULL498', 940846);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail, hours) VALUES (779756867, 0, 'sentnode1b', 'session_paid', '45', '8696400435604871', NULL, NULL, NULL, '', '245185518', 'it''s333', 419103);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail, hours) VALUES (819372171, 1, 'sentnode1b', 'lease_ended', '59', '602025859156307924712364', NULL, NULL, NULL, '', '6352542232956252', NULL, NULL);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail, hours) VALUES (1306405334, 1, 'sentnode1c', 'lease_ended', '265', '425910005', 'uother', 'sentprov1a', 1800734800139, '', '803458085627947472816', '{"a":1}737', 212627);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail, hours) VALUES (1984320051, 1, 'sentnode1b', 'lease_created', '333', '8315015837258545', 'udvpn', 'sentprov1b', 1801326841189, '', NULL, NULL, 269757);
INSERT INTO ledger_gaps (first, last, reason, is_open) VALUES (36884, 65134, 'plain72', 0);
INSERT INTO ledger_gaps (first, last, reason, is_open) VALUES (326875, 557856, 'it''s905', 0);
INSERT INTO ledger_gaps (first, last, reason, is_open) VALUES (648235, 146110, 'two
lines851', 0);
INSERT INTO ledger_gaps (first, last, reason, is_open) VALUES (943052, 19596, '%_\864', 0);
INSERT INTO facts (name, value) VALUES ('"quoted"897', 'it''s318');
INSERT INTO outbox (seq, id, recipient, stream, thread_id, channel, notice, created_ms, attempts, last_failure, is_short, state, ended_ms) VALUES (1, 'notice 4053447454', 'ключ 🔑528', '{"a":1}409', 'NULL348', 'telegram', '{"id":"notice 4053447454","threadId":"NULL348","kind":"firing","rule":"R","severity":"warning","title":"two\nlines255","text":"NULL960","atMs":1800000000000}', 1801937410677, 555534, '377', 1, 'delivered', 1800000000000);
INSERT INTO silences (id, rule, subject, from_ms, until_ms, comment) VALUES ('{"a":1}562', 'HubNodeInactive', 'ключ 🔑981', 1800766428466, 1800484336165, 'plain634');
INSERT INTO seen_values (kind, subject, field, value, height) VALUES ('ключ 🔑676', '486', 'two
lines923', 'NULL597', 'NULL425');
INSERT INTO changes (seq, kind, subject, field, before, after, height, at_ms) VALUES (1, '631', '0866', 'it''s880', '391', '%_\832', NULL, 1800334092166);
INSERT INTO change_counts (kind, subject, count) VALUES ('two
lines504', '{"a":1}745', 46348);
INSERT INTO change_counts (kind, subject, count) VALUES ('{"a":1}155', '332', 838586);
INSERT INTO ledger_totals (kind, node, provider, account, denom, detail, entries, amount, stakers) VALUES ('0209', 'sentnode1c', 'sentprov1b', '"quoted"670', 'udvpn', 'two
lines893', 827119, '34706364887247', '14117801241338451');
INSERT INTO ledger_totals (kind, node, provider, account, denom, detail, entries, amount, stakers) VALUES ('plain346', 'sentnode1b', 'sentprov1a', 'plain619', 'udvpn', 'it''s639', 794226, '32003805815121987', '29763439246');
INSERT INTO ledger_totals (kind, node, provider, account, denom, detail, entries, amount, stakers) VALUES ('two
lines199', 'sentnode1b', 'sentprov1a', 'it''s914', 'udvpn', 'ключ 🔑321', 919959, '2095615446750946847973', '142');
INSERT INTO ledger_totals (kind, node, provider, account, denom, detail, entries, amount, stakers) VALUES ('{"a":1}799', 'sentnode1b', 'sentprov1b', 'ключ 🔑946', 'uother', '{"a":1}700', 974948, '3', '328264801967');
INSERT INTO ledger_payouts (lease, node, provider, payouts) VALUES ('"quoted"726', 'sentnode1d', 'sentprov1a', 413622);
INSERT INTO sweeps (collection, endpoint, height, records, completed_ms, sums) VALUES ('%_\412', '"quoted"45', '0265', 769626, 1800935316161, '[]');
INSERT INTO sweeps (collection, endpoint, height, records, completed_ms, sums) VALUES ('%_\906', 'two
lines227', 'ключ 🔑719', 612436, 1801146071675, '[]');
INSERT INTO sweeps (collection, endpoint, height, records, completed_ms, sums) VALUES ('two
lines547', 'plain464', 'two
lines185', 699015, 1801266861180, '[]');
INSERT INTO sweeps (collection, endpoint, height, records, completed_ms, sums) VALUES ('two
lines637', 'it''s390', '860', 997447, 1800926716637, '[]');
INSERT INTO node_sessions (node, download, upload, sessions) VALUES ('sentnode1a', '495', '2147204', 'TUchFOKNBH9NnRYvTiEqDGSrcj5N8UglYNkj2L4QZl7TQoxInw/g1I99rxZgTjkmv0ZOEBTT8qvSTEM6dvbQiw==');
INSERT INTO node_sessions (node, download, upload, sessions) VALUES ('sentnode1b', '328262', '83', '');
INSERT INTO node_sessions (node, download, upload, sessions) VALUES ('sentnode1c', '16802932418916', '2184365624782', 'eb02ybfLhP/5s3qR/94Yn0jY3wc3wg3IxptBVu1eD6s=');
INSERT INTO session_hours (node, hour, average) VALUES ('sentnode1b', 414716, 1480.75);
PRAGMA user_version = 12;

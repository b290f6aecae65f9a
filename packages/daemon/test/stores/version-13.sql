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
CREATE TABLE ledger_subjects (address TEXT PRIMARY KEY, first INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO heartbeats (node, at_ms) VALUES ('sentnode1a', 1800195866509);
INSERT INTO alerts (id, rule, subject, term, state, severity, since_ms, firing_ms, ended_ms, notified, title, text, group_id, owes_recovery, fired_clock_ms, ended_clock_ms) VALUES ('alert 946710698', 'HubEndpointDown', '%_\291', 'plain560', 'resolved', 'critical', 1800263434844, 1800932945621, 1800003600000, 0, '%_\403', '314', NULL, 0, NULL, 1800784322277);
INSERT INTO alerts (id, rule, subject, term, state, severity, since_ms, firing_ms, ended_ms, notified, title, text, group_id, owes_recovery, fired_clock_ms, ended_clock_ms) VALUES ('alert 596429042', 'HubNodeInactive', 'ключ 🔑82', 'plain414', 'pending', 'warning', 1801983558962, NULL, NULL, 1, 'plain106', 'it''s900', '%_\129', 0, NULL, 1800320721455);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail, hours) VALUES (136986430, 3, 'sentnode1d', 'session_paid', '442', '30977789735907346', NULL, 'sentprov1b', 1800649875356, '', '30829116225677734973095', NULL, 639896);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail, hours) VALUES (749367386, 2, 'sentnode1d', 'node_active', '', NULL, 'uother', NULL, 1801340809647, 'sent1a', '899302251199722497', 'plain667', 302625);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail, hours) VALUES (1391794767, 1, 'sentnode1b', 'lease_refunded', '228', '8404231433361', 'uother', 'sentprov1a', 1801250160995, '', NULL, '233', 295288);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail, hours) VALUES (1737786294, 0, 'sentnode1b', 'lease_refunded', '74', '1135984891970806', 'udvpn', 'sentprov1b', 1801616790776, '', NULL, '%_\64', NULL);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail, hours) VALUES (1858350932, 2, 'sentnode1d', 'lease_paid', '361', NULL, 'udvpn', NULL, 1800513365709, '', '1587655368829502942', NULL, 969339);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail, hours) VALUES (1939273715, 0, 'sentnode1d', 'node_active', '', NULL, 'uother', 'sentprov1a', 1800447270859, '', '182', 'plain926', 359210);
INSERT INTO ledger_gaps (first, last, reason, is_open) VALUES (210947, 878731, 'ключ 🔑521', 1);
INSERT INTO ledger_gaps (first, last, reason, is_open) VALUES (243078, 552235, 'plain959', 1);
INSERT INTO ledger_gaps (first, last, reason, is_open) VALUES (246641, 395056, '{"a":1}895', 0);
INSERT INTO facts (name, value) VALUES ('0488', '"quoted"364');
INSERT INTO facts (name, value) VALUES ('157', 'NULL259');
INSERT INTO outbox (seq, id, recipient, stream, thread_id, channel, notice, created_ms, attempts, last_failure, is_short, state, ended_ms) VALUES (1, 'notice 3892502968', '0440', 'plain288', '"quoted"76', 'email', '{"id":"notice 3892502968","threadId":"\"quoted\"76","kind":"firing","rule":"R","severity":"warning","title":"NULL352","text":"ключ 🔑414","atMs":1800000000000}', 1801665719808, 488710, 'it''s146', 0, 'waiting', NULL);
INSERT INTO outbox (seq, id, recipient, stream, thread_id, channel, notice, created_ms, attempts, last_failure, is_short, state, ended_ms) VALUES (2, 'notice 825715336', 'plain275', '{"a":1}806', '0885', 'email', '{"id":"notice 825715336","threadId":"0885","kind":"firing","rule":"R","severity":"warning","title":"ключ 🔑302","text":"ключ 🔑505","atMs":1800000000000}', 1801061069358, 765323, 'ключ 🔑54', 1, 'waiting', NULL);
INSERT INTO silences (id, rule, subject, from_ms, until_ms, comment) VALUES ('362', 'HubChainHalted', '%_\799', 1801305227132, 1800350747768, '%_\725');
INSERT INTO silences (id, rule, subject, from_ms, until_ms, comment) VALUES ('58', NULL, 'ключ 🔑851', 1801151972792, 1800999646497, '{"a":1}318');
INSERT INTO seen_values (kind, subject, field, value, height) VALUES ('two
lines746', 'ключ 🔑448', 'two
lines404', '%_\685', '%_\113');
INSERT INTO seen_values (kind, subject, field, value, height) VALUES ('{"a":1}818', '564', '0358', '"quoted"19', NULL);
INSERT INTO changes (seq, kind, subject, field, before, after, height, at_ms) VALUES (1, '"quoted"42', '{"a":1}955', 'two
lines895', 'two
lines514', '{"a":1}76', '%_\914', 1801354890536);
INSERT INTO changes (seq, kind, subject, field, before, after, height, at_ms) VALUES (2, 'ключ 🔑721', 'plain535', 'it''s558', '%_\543', 'plain896', '{"a":1}958', 1800915731712);
INSERT INTO changes (seq, kind, subject, field, before, after, height, at_ms) VALUES (3, '"quoted"249', '"quoted"487', '789', 'it''s970', 'it''s893', NULL, 1801292436874);
INSERT INTO change_counts (kind, subject, count) VALUES ('"quoted"77', '"quoted"324', 601460);
INSERT INTO ledger_totals (kind, node, provider, account, denom, detail, entries, amount, stakers) VALUES ('two
lines770', 'sentnode1a', 'sentprov1b', '0710', 'udvpn', '"quoted"832', 166057, '7321996306482882636418965', '32629475928071770503963');
INSERT INTO ledger_payouts (lease, node, provider, payouts) VALUES ('two
lines105', 'sentnode1c', 'sentprov1b', 776252);
INSERT INTO sweeps (collection, endpoint, height, records, completed_ms, sums) VALUES ('%_\591', '%_\218', '%_\6', 737347, 1801364631317, '[]');
INSERT INTO sweeps (collection, endpoint, height, records, completed_ms, sums) VALUES ('NULL127', 'it''s160', '"quoted"215', 504887, 1800490793310, '[]');
INSERT INTO sweeps (collection, endpoint, height, records, completed_ms, sums) VALUES ('NULL408', 'two
lines158', '0193', 73805, 1800353450418, '[]');
INSERT INTO node_sessions (node, download, upload, sessions) VALUES ('sentnode1b', '61889923222', '1162061658888487', 'M0cYEzX36RsUM81bWNRoXTA3jt+xBv3GVciS9TVwDWIirZTkEciZ1Cxj2oMNsPHf18IXarg9LyuIWvZ+I6oSuDFdkiKTS6qq9Z6Ch4NlxdEVDogeWHkjHY9HA9vB49ET');
INSERT INTO session_hours (node, hour, average) VALUES ('sentnode1a', 299572, 34256.875);
INSERT INTO ledger_subjects (address, first) VALUES ('%_\998', 273999);
PRAGMA user_version = 13;

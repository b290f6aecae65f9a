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
    upload TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE session_hours (
    node TEXT NOT NULL,
    hour INTEGER NOT NULL,
    average REAL NOT NULL,
    PRIMARY KEY (node, hour)
  ) WITHOUT ROWID;
CREATE TABLE ledger_subjects (address TEXT PRIMARY KEY, first INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE session_pieces (
    node TEXT NOT NULL,
    first TEXT NOT NULL,
    sessions TEXT NOT NULL,
    PRIMARY KEY (node, first)
  ) WITHOUT ROWID;
INSERT INTO heartbeats (node, at_ms) VALUES ('sentnode1b', 1801443551152);
INSERT INTO alerts (id, rule, subject, term, state, severity, since_ms, firing_ms, ended_ms, notified, title, text, group_id, owes_recovery, fired_clock_ms, ended_clock_ms) VALUES ('alert 1250888489', 'HubEndpointDown', '759', '162', 'firing', 'critical', 1800145992778, 1800548377720, NULL, 1, '{"a":1}912', 'it''s220', NULL, 0, NULL, NULL);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail, hours) VALUES (43978520, 1, 'sentnode1d', 'session_paid', '379', '2273603389214521', NULL, 'sentprov1b', 1802070922740, 'sent1a', '3444616918588390836', 'NULL657', 575866);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail, hours) VALUES (373717231, 1, 'sentnode1d', 'lease_created', '369', '3643598443276940977249', 'uother', 'sentprov1a', 1800925706000, '', '4393158803', NULL, NULL);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail, hours) VALUES (1314077057, 2, 'sentnode1c', 'lease_ended', '134', '0', 'uother', 'sentprov1a', 1800201777935, '', '48817462865', '"quoted"801', 398939);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail, hours) VALUES (1549179416, 3, 'sentnode1c', 'lease_paid', '356', NULL, NULL, NULL, NULL, 'sent1a', '11923183', '46', 920288);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail, hours) VALUES (1861905109, 3, 'sentnode1d', 'session_paid', '48', NULL, 'udvpn', 'sentprov1b', 1801482792608, 'sent1a', '57', '%_\909', 450279);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail, hours) VALUES (1874370725, 3, 'sentnode1c', 'lease_paid', '118', '259826833112306354020666', 'uother', 'sentprov1a', NULL, '', '976764103404', 'ключ 🔑0', 436989);
INSERT INTO ledger_gaps (first, last, reason, is_open) VALUES (279392, 339707, 'two
lines144', 1);
INSERT INTO ledger_gaps (first, last, reason, is_open) VALUES (391173, 537581, '"quoted"463', 0);
INSERT INTO facts (name, value) VALUES ('"quoted"856', 'two
lines772');
INSERT INTO facts (name, value) VALUES ('%_\959', 'ключ 🔑997');
INSERT INTO facts (name, value) VALUES ('0476', 'ключ 🔑264');
INSERT INTO facts (name, value) VALUES ('it''s849', 'two
lines34');
INSERT INTO outbox (seq, id, recipient, stream, thread_id, channel, notice, created_ms, attempts, last_failure, is_short, state, ended_ms) VALUES (1, 'notice 3522216727', '"quoted"162', 'two
lines89', 'it''s761', 'email', '{"id":"notice 3522216727","threadId":"it''s761","kind":"firing","rule":"R","severity":"warning","title":"{\"a\":1}660","text":"\"quoted\"245","atMs":1800000000000}', 1801474735886, 449915, 'plain448', 0, 'waiting', NULL);
INSERT INTO silences (id, rule, subject, from_ms, until_ms, comment) VALUES ('0670', 'HubNodeInactive', '%_\136', 1801362182316, 1800015163543, 'plain52');
INSERT INTO silences (id, rule, subject, from_ms, until_ms, comment) VALUES ('two
lines609', 'HubNodeInactive', '0197', 1800187379611, 1801664198231, '{"a":1}253');
INSERT INTO silences (id, rule, subject, from_ms, until_ms, comment) VALUES ('{"a":1}490', 'HubNodeInactive', '%_\324', 1800109157821, 1800057640858, '0795');
INSERT INTO silences (id, rule, subject, from_ms, until_ms, comment) VALUES ('ключ 🔑690', 'HubEndpointDown', NULL, 1801150759303, 1802125973526, 'it''s353');
INSERT INTO seen_values (kind, subject, field, value, height) VALUES ('%_\643', '%_\601', 'plain696', '"quoted"51', 'it''s244');
INSERT INTO seen_values (kind, subject, field, value, height) VALUES ('0898', '583', 'two
lines905', '{"a":1}264', 'it''s445');
INSERT INTO seen_values (kind, subject, field, value, height) VALUES ('it''s395', 'plain546', '{"a":1}19', '"quoted"490', 'two
lines770');
INSERT INTO seen_values (kind, subject, field, value, height) VALUES ('plain182', '022', '0282', 'it''s708', 'plain622');
INSERT INTO changes (seq, kind, subject, field, before, after, height, at_ms) VALUES (1, '"quoted"988', '{"a":1}695', 'plain66', '%_\765', '0672', NULL, 1801119881868);
INSERT INTO changes (seq, kind, subject, field, before, after, height, at_ms) VALUES (2, 'it''s257', '0421', 'plain671', '"quoted"294', '%_\689', 'NULL518', 1801704653026);
INSERT INTO change_counts (kind, subject, count) VALUES ('NULL316', '"quoted"643', 639441);
INSERT INTO change_counts (kind, subject, count) VALUES ('NULL385', 'ключ 🔑556', 379360);
INSERT INTO change_counts (kind, subject, count) VALUES ('NULL97', '"quoted"815', 714113);
INSERT INTO change_counts (kind, subject, count) VALUES ('ключ 🔑867', '{"a":1}714', 207031);
INSERT INTO ledger_totals (kind, node, provider, account, denom, detail, entries, amount, stakers) VALUES ('%_\435', 'sentnode1a', 'sentprov1b', 'it''s957', 'uother', '420', 105599, '496174537', '815428');
INSERT INTO ledger_payouts (lease, node, provider, payouts) VALUES ('643', 'sentnode1d', 'sentprov1b', 187236);
INSERT INTO ledger_payouts (lease, node, provider, payouts) VALUES ('plain749', 'sentnode1b', 'sentprov1a', 787777);
INSERT INTO sweeps (collection, endpoint, height, records, completed_ms, sums) VALUES ('"quoted"173', '"quoted"997', 'two
lines187', 232041, 1801825552419, '[]');
INSERT INTO sweeps (collection, endpoint, height, records, completed_ms, sums) VALUES ('457', 'two
lines479', 'two
lines204', 61703, 1800781459725, '[]');
INSERT INTO sweeps (collection, endpoint, height, records, completed_ms, sums) VALUES ('two
lines277', 'NULL585', 'NULL305', 4273, 1800303667763, '[]');
INSERT INTO sweeps (collection, endpoint, height, records, completed_ms, sums) VALUES ('ключ 🔑2', 'two
lines386', '"quoted"589', 126969, 1801689128440, '[]');
INSERT INTO node_sessions (node, download, upload) VALUES ('sentnode1b', '6', '1236455739716624208');
INSERT INTO session_hours (node, hour, average) VALUES ('sentnode1a', 779479, 48291.625);
INSERT INTO session_hours (node, hour, average) VALUES ('sentnode1b', 59558, 124688.75);
INSERT INTO session_hours (node, hour, average) VALUES ('sentnode1d', 284094, 28778.5);
INSERT INTO ledger_subjects (address, first) VALUES ('914', 43577);
INSERT INTO ledger_subjects (address, first) VALUES ('plain936', 568781);
INSERT INTO session_pieces (node, first, sessions) VALUES ('sentnode1a', '171', 'DY7pHIb34VconPthD/DIFa33aVg8hwt+sW6C4cnjFLePCGyxxqXRCFBWFhAsTvig2dFGuFydIBBIgmJItmS27dHLbfVBYr8bP8MolLMVToklyfBCmkatA0CA9v59rJUQ');
INSERT INTO session_pieces (node, first, sessions) VALUES ('sentnode1b', '77981438024', 'OQGL+C1LkSlaCtbafXPNQxWS3e6GJ9Hc3rplDKLQXU4=');
INSERT INTO session_pieces (node, first, sessions) VALUES ('sentnode1c', '81652', 'IY4lNIrVYuKLARa6g6uac7sMxtjVjiKs4g7qq13GQhOyjUJNtRhBaR8Y8JFabj2gzGD/LxavcecwYUWArSuSRtD1CVioQ/p5576KzHJg2rrkm1Ie0xU342MhEIV9m31p');
PRAGMA user_version = 14;

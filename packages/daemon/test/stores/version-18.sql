PRAGMA application_id = 1752523383;
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
    upload TEXT NOT NULL, reported REAL NOT NULL DEFAULT 0, silent INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;
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
CREATE INDEX ledger_status ON ledger (node, height, position) WHERE kind IN ('node_active', 'node_inactive');
CREATE TABLE lease_records (
    lease TEXT PRIMARY KEY,
    height INTEGER NOT NULL,
    policy TEXT NOT NULL,
    start_ms REAL NOT NULL,
    hours INTEGER NOT NULL
  ) WITHOUT ROWID;
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
    state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'delivered', 'overtaken', 'dead')),
    ended_ms INTEGER,
    UNIQUE (id, recipient)
  );
CREATE INDEX outbox_waiting ON outbox (channel, seq) WHERE state = 'waiting';
CREATE INDEX outbox_stream ON outbox (stream, channel, seq);
CREATE INDEX outbox_dead ON outbox (channel, ended_ms) WHERE state = 'dead';
INSERT INTO heartbeats (node, at_ms) VALUES ('sentnode1a', 1800303379617);
INSERT INTO heartbeats (node, at_ms) VALUES ('sentnode1c', 1800433203825);
INSERT INTO heartbeats (node, at_ms) VALUES ('sentnode1c', 1800840253694);
INSERT INTO heartbeats (node, at_ms) VALUES ('sentnode1c', 1801533996930);
INSERT INTO alerts (id, rule, subject, term, state, severity, since_ms, firing_ms, ended_ms, notified, title, text, group_id, owes_recovery, fired_clock_ms, ended_clock_ms) VALUES ('alert 2227916344', 'HubChainHalted', '{"a":1}875', 'two
lines110', 'resolved', 'critical', 1800426372750, 1800423346321, 1800003600000, 1, 'it''s306', '"quoted"950', NULL, 1, 1801297843943, 1800779101858);
INSERT INTO alerts (id, rule, subject, term, state, severity, since_ms, firing_ms, ended_ms, notified, title, text, group_id, owes_recovery, fired_clock_ms, ended_clock_ms) VALUES ('alert 4291808234', 'HubEndpointDown', 'two
lines299', 'NULL940', 'resolved', 'critical', 1800863021659, NULL, 1800003600000, 0, '{"a":1}300', '704', 'it''s914', 0, 1802093943965, 1800865376901);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail, hours) VALUES (701898460, 2, 'sentnode1b', 'lease_paid', '161', '13242825', NULL, 'sentprov1b', 1801508403750, '', NULL, NULL, NULL);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail, hours) VALUES (798465180, 1, 'sentnode1a', 'session_paid', '154', NULL, 'uother', 'sentprov1b', 1801316312208, 'sent1a', '573', 'it''s209', NULL);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail, hours) VALUES (874633543, 3, 'sentnode1a', 'node_inactive', '', NULL, NULL, 'sentprov1b', NULL, 'sent1a', NULL, NULL, 21531);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail, hours) VALUES (1233732350, 1, 'sentnode1d', 'session_paid', '398', '13', 'uother', 'sentprov1b', 1801292774770, '', NULL, '{"a":1}746', NULL);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail, hours) VALUES (1763548165, 0, 'sentnode1d', 'lease_refunded', '71', NULL, 'udvpn', NULL, NULL, 'sent1a', '11522371290151277351636', '0169', 609032);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail, hours) VALUES (1949020199, 1, 'sentnode1d', 'lease_paid', '32', '564229032681939476', 'udvpn', 'sentprov1b', 1800362402202, '', '85813', '721', 785539);
INSERT INTO ledger_gaps (first, last, reason, is_open) VALUES (435851, 311608, 'it''s446', 0);
INSERT INTO facts (name, value) VALUES ('it''s587', 'it''s646');
INSERT INTO silences (id, rule, subject, from_ms, until_ms, comment) VALUES ('it''s828', 'HubEndpointDown', 'NULL533', 1800268958067, 1801217148450, '%_\391');
INSERT INTO silences (id, rule, subject, from_ms, until_ms, comment) VALUES ('plain735', NULL, '120', 1801043319430, 1800978513155, 'ключ 🔑578');
INSERT INTO silences (id, rule, subject, from_ms, until_ms, comment) VALUES ('two
lines24', NULL, '929', 1801957702506, 1802120151797, 'NULL432');
INSERT INTO silences (id, rule, subject, from_ms, until_ms, comment) VALUES ('ключ 🔑915', NULL, NULL, 1800001686054, 1801836083010, '"quoted"715');
INSERT INTO seen_values (kind, subject, field, value, height) VALUES ('"quoted"831', '278', '0437', '{"a":1}185', '{"a":1}542');
INSERT INTO seen_values (kind, subject, field, value, height) VALUES ('868', '{"a":1}159', 'ключ 🔑539', '{"a":1}577', NULL);
INSERT INTO seen_values (kind, subject, field, value, height) VALUES ('it''s167', '841', 'plain166', '0187', 'ключ 🔑82');
INSERT INTO seen_values (kind, subject, field, value, height) VALUES ('it''s676', '"quoted"321', '%_\547', '%_\740', NULL);
INSERT INTO changes (seq, kind, subject, field, before, after, height, at_ms) VALUES (1, '736', '979', 'ключ 🔑933', '{"a":1}54', '%_\296', 'NULL872', 1800710386815);
INSERT INTO changes (seq, kind, subject, field, before, after, height, at_ms) VALUES (2, '{"a":1}786', 'it''s700', 'NULL454', 'ключ 🔑928', '%_\803', 'plain860', 1801865990444);
INSERT INTO change_counts (kind, subject, count) VALUES ('%_\13', 'NULL495', 202603);
INSERT INTO change_counts (kind, subject, count) VALUES ('461', 'two
lines860', 574991);
INSERT INTO change_counts (kind, subject, count) VALUES ('plain583', '{"a":1}952', 468381);
INSERT INTO change_counts (kind, subject, count) VALUES ('ключ 🔑264', 'it''s362', 661437);
INSERT INTO ledger_totals (kind, node, provider, account, denom, detail, entries, amount, stakers) VALUES ('it''s634', 'sentnode1d', 'sentprov1b', 'plain392', 'udvpn', 'ключ 🔑7', 548899, '116663778763979383323', '172366751408846544127');
INSERT INTO ledger_totals (kind, node, provider, account, denom, detail, entries, amount, stakers) VALUES ('ключ 🔑961', 'sentnode1c', 'sentprov1b', '432', 'udvpn', '%_\409', 821900, '7302987283954', '874');
INSERT INTO ledger_payouts (lease, node, provider, payouts) VALUES ('662', 'sentnode1c', 'sentprov1a', 897935);
INSERT INTO ledger_payouts (lease, node, provider, payouts) VALUES ('{"a":1}610', 'sentnode1b', 'sentprov1b', 838665);
INSERT INTO ledger_payouts (lease, node, provider, payouts) VALUES ('ключ 🔑23', 'sentnode1d', 'sentprov1b', 300388);
INSERT INTO sweeps (collection, endpoint, height, records, completed_ms, sums) VALUES ('763', 'it''s891', '0607', 567441, 1800128937484, '[]');
INSERT INTO sweeps (collection, endpoint, height, records, completed_ms, sums) VALUES ('it''s746', '745', 'ключ 🔑628', 641536, 1801458407132, '[]');
INSERT INTO sweeps (collection, endpoint, height, records, completed_ms, sums) VALUES ('plain181', '077', '164', 872708, 1800487202828, '[]');
INSERT INTO node_sessions (node, download, upload, reported, silent) VALUES ('sentnode1a', '180861006249', '443040941', 77778.625, 907445);
INSERT INTO node_sessions (node, download, upload, reported, silent) VALUES ('sentnode1b', '206112', '8628528077946215487', 25101.625, 784919);
INSERT INTO session_hours (node, hour, average) VALUES ('sentnode1c', 103339, 60893.25);
INSERT INTO session_hours (node, hour, average) VALUES ('sentnode1c', 524899, 24105.875);
INSERT INTO ledger_subjects (address, first) VALUES ('435', 276066);
INSERT INTO session_pieces (node, first, sessions) VALUES ('sentnode1b', '154', 'F0nX/dZNRG1iNxsAJcfTcyHmXUoT8+9+jr5L0SreruOsiGuxgnmcTUzhqvzOhxCTb08HqJejRyGSnIypHVKext5Sd5F4RRzWVir6J5TEmuaVjWkCMkwu2ws65ek1UFHr');
INSERT INTO session_pieces (node, first, sessions) VALUES ('sentnode1c', '63', '');
INSERT INTO session_pieces (node, first, sessions) VALUES ('sentnode1d', '5595', '');
INSERT INTO lease_records (lease, height, policy, start_ms, hours) VALUES ('%_\763', 3184, 'plain462', 1801435408906, 947865);
INSERT INTO lease_records (lease, height, policy, start_ms, hours) VALUES ('NULL564', 312380, '0192', 1801358076505, 260371);
INSERT INTO lease_records (lease, height, policy, start_ms, hours) VALUES ('it''s577', 780324, 'NULL165', 1801917708389, 129733);
INSERT INTO lease_records (lease, height, policy, start_ms, hours) VALUES ('two
lines701', 445578, '0591', 1800408411966, 107326);
INSERT INTO outbox (seq, id, recipient, stream, thread_id, channel, notice, created_ms, attempts, last_failure, is_short, state, ended_ms) VALUES (1, 'notice 3748721201', '0316', 'two
lines31', '506', 'email', '{"id":"notice 3748721201","threadId":"506","kind":"firing","rule":"R","severity":"warning","title":"plain788","text":"NULL713","atMs":1800000000000}', 1800686406138, 688430, 'plain924', 1, 'dead', 1800000000000);
INSERT INTO outbox (seq, id, recipient, stream, thread_id, channel, notice, created_ms, attempts, last_failure, is_short, state, ended_ms) VALUES (2, 'notice 3953172832', 'two
lines337', 'two
lines944', '"quoted"68', 'telegram', '{"id":"notice 3953172832","threadId":"\"quoted\"68","kind":"firing","rule":"R","severity":"warning","title":"094","text":"0468","atMs":1800000000000}', 1800213027675, 617422, NULL, 0, 'waiting', NULL);
INSERT INTO outbox (seq, id, recipient, stream, thread_id, channel, notice, created_ms, attempts, last_failure, is_short, state, ended_ms) VALUES (3, 'notice 2890961213', '"quoted"105', '820', '0951', 'email', '{"id":"notice 2890961213","threadId":"0951","kind":"firing","rule":"R","severity":"warning","title":"two\nlines11","text":"957","atMs":1800000000000}', 1801292279173, 916782, '{"a":1}701', 0, 'dead', 1800000000000);
PRAGMA user_version = 18;

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
  , group_id TEXT, owes_recovery INTEGER NOT NULL DEFAULT 0, fired_clock_ms INTEGER, ended_clock_ms INTEGER, hold_ran_ms INTEGER NOT NULL DEFAULT 0, hold_since_ms INTEGER);
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
    height TEXT, noted_ms INTEGER NOT NULL DEFAULT 0,
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
CREATE TABLE told (
    rule TEXT NOT NULL,
    subject TEXT NOT NULL,
    state TEXT NOT NULL,
    PRIMARY KEY (rule, subject)
  ) WITHOUT ROWID;
INSERT INTO heartbeats (node, at_ms) VALUES ('sentnode1a', 1801562583090);
INSERT INTO heartbeats (node, at_ms) VALUES ('sentnode1d', 1800893292145);
INSERT INTO alerts (id, rule, subject, term, state, severity, since_ms, firing_ms, ended_ms, notified, title, text, group_id, owes_recovery, fired_clock_ms, ended_clock_ms, hold_ran_ms, hold_since_ms) VALUES ('alert 3386189938', 'HubNodeInactive', 'ключ 🔑215', 'it''s969', 'resolved', 'warning', 1800218439436, 1800808191592, 1800003600000, 1, '0303', 'plain440', NULL, 0, 1800305565102, NULL, 1800199760468, NULL);
INSERT INTO alerts (id, rule, subject, term, state, severity, since_ms, firing_ms, ended_ms, notified, title, text, group_id, owes_recovery, fired_clock_ms, ended_clock_ms, hold_ran_ms, hold_since_ms) VALUES ('alert 2970060009', 'HubChainHalted', 'it''s4', '"quoted"488', 'resolved', 'warning', 1801101630030, 1801506160865, 1800003600000, 0, 'ключ 🔑819', 'it''s700', NULL, 0, 1801551592196, 1801114164655, 1802000310845, NULL);
INSERT INTO alerts (id, rule, subject, term, state, severity, since_ms, firing_ms, ended_ms, notified, title, text, group_id, owes_recovery, fired_clock_ms, ended_clock_ms, hold_ran_ms, hold_since_ms) VALUES ('alert 1337011845', 'HubEndpointDown', 'it''s242', 'it''s309', 'resolved', 'critical', 1800619082718, 1801879601836, 1800003600000, 1, 'plain159', 'ключ 🔑778', '0447', 0, NULL, 1801221737903, 1801015719642, NULL);
INSERT INTO alerts (id, rule, subject, term, state, severity, since_ms, firing_ms, ended_ms, notified, title, text, group_id, owes_recovery, fired_clock_ms, ended_clock_ms, hold_ran_ms, hold_since_ms) VALUES ('alert 991512199', 'HubNodeInactive', 'ключ 🔑43', '0228', 'pending', 'warning', 1800667434038, NULL, NULL, 0, 'two
lines111', '{"a":1}232', 'NULL309', 0, 1801032073252, NULL, 1800341331639, 1800812704475);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail, hours) VALUES (791554735, 3, 'sentnode1d', 'lease_paid', '478', NULL, 'uother', 'sentprov1b', 1801295613756, 'sent1a', '3622125295370381427551', NULL, 116975);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail, hours) VALUES (950465644, 3, 'sentnode1d', 'lease_paid', '218', '184002512361083987378467', NULL, 'sentprov1a', NULL, '', NULL, 'two
lines953', 140961);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail, hours) VALUES (1042257572, 0, 'sentnode1a', 'lease_paid', '403', NULL, NULL, 'sentprov1b', 1802046946431, 'sent1a', '275336152807', 'NULL776', 493595);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail, hours) VALUES (1712330682, 2, 'sentnode1d', 'session_paid', '240', '31756', 'udvpn', 'sentprov1b', NULL, '', '84', '0701', 542049);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail, hours) VALUES (1835607056, 3, 'sentnode1d', 'lease_refunded', '456', NULL, 'udvpn', 'sentprov1b', NULL, '', '2311171954', 'NULL353', 809645);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail, hours) VALUES (1990485272, 0, 'sentnode1a', 'node_inactive', '', NULL, 'udvpn', 'sentprov1a', NULL, 'sent1a', '26170096102517', NULL, 414298);
INSERT INTO ledger_gaps (first, last, reason, is_open) VALUES (226393, 73757, '"quoted"519', 0);
INSERT INTO ledger_gaps (first, last, reason, is_open) VALUES (997030, 740732, 'NULL643', 0);
INSERT INTO facts (name, value) VALUES ('85', 'NULL786');
INSERT INTO facts (name, value) VALUES ('it''s102', '0488');
INSERT INTO facts (name, value) VALUES ('plain588', '719');
INSERT INTO silences (id, rule, subject, from_ms, until_ms, comment) VALUES ('962', 'HubEndpointDown', NULL, 1801931427232, 1801181660872, 'it''s611');
INSERT INTO silences (id, rule, subject, from_ms, until_ms, comment) VALUES ('two
lines83', NULL, '756', 1800471616015, 1800594946794, 'ключ 🔑963');
INSERT INTO silences (id, rule, subject, from_ms, until_ms, comment) VALUES ('ключ 🔑138', 'HubEndpointDown', NULL, 1802109920271, 1800857052430, '{"a":1}443');
INSERT INTO silences (id, rule, subject, from_ms, until_ms, comment) VALUES ('ключ 🔑601', NULL, '0481', 1800474836013, 1801040010058, '"quoted"780');
INSERT INTO seen_values (kind, subject, field, value, height, noted_ms) VALUES ('"quoted"268', '"quoted"204', '849', '"quoted"614', '{"a":1}65', 1800639621202);
INSERT INTO seen_values (kind, subject, field, value, height, noted_ms) VALUES ('it''s456', '0515', '0859', 'ключ 🔑269', 'two
lines849', 1800284045675);
INSERT INTO seen_values (kind, subject, field, value, height, noted_ms) VALUES ('ключ 🔑908', 'it''s689', 'two
lines911', 'it''s477', 'it''s564', 1801299509627);
INSERT INTO changes (seq, kind, subject, field, before, after, height, at_ms) VALUES (1, '%_\243', 'ключ 🔑463', 'it''s420', 'it''s484', 'ключ 🔑347', 'plain154', 1800583605910);
INSERT INTO change_counts (kind, subject, count) VALUES ('"quoted"239', 'two
lines41', 163236);
INSERT INTO ledger_totals (kind, node, provider, account, denom, detail, entries, amount, stakers) VALUES ('789', 'sentnode1b', 'sentprov1b', 'ключ 🔑493', 'uother', 'ключ 🔑872', 819638, '36441737315467195811945576', '450842725171');
INSERT INTO ledger_totals (kind, node, provider, account, denom, detail, entries, amount, stakers) VALUES ('NULL509', 'sentnode1c', 'sentprov1a', 'two
lines455', 'udvpn', '0103', 15899, '1333567', '250378631081002335');
INSERT INTO ledger_totals (kind, node, provider, account, denom, detail, entries, amount, stakers) VALUES ('{"a":1}0', 'sentnode1d', 'sentprov1b', '0988', 'udvpn', 'ключ 🔑884', 654782, '768544988583060620', '1434113289422');
INSERT INTO ledger_totals (kind, node, provider, account, denom, detail, entries, amount, stakers) VALUES ('{"a":1}668', 'sentnode1d', 'sentprov1a', 'two
lines458', 'uother', 'ключ 🔑514', 767893, '17', '0');
INSERT INTO ledger_payouts (lease, node, provider, payouts) VALUES ('0843', 'sentnode1a', 'sentprov1a', 803721);
INSERT INTO ledger_payouts (lease, node, provider, payouts) VALUES ('two
lines119', 'sentnode1a', 'sentprov1a', 69414);
INSERT INTO ledger_payouts (lease, node, provider, payouts) VALUES ('two
lines815', 'sentnode1b', 'sentprov1a', 124194);
INSERT INTO ledger_payouts (lease, node, provider, payouts) VALUES ('two
lines975', 'sentnode1d', 'sentprov1a', 180046);
INSERT INTO sweeps (collection, endpoint, height, records, completed_ms, sums) VALUES ('"quoted"848', '%_\400', '0508', 762811, 1800640539747, '[]');
INSERT INTO sweeps (collection, endpoint, height, records, completed_ms, sums) VALUES ('0183', 'ключ 🔑237', '215', 278004, 1800327958685, '[]');
INSERT INTO sweeps (collection, endpoint, height, records, completed_ms, sums) VALUES ('616', 'plain847', 'it''s534', 111231, 1802114566266, '[]');
INSERT INTO node_sessions (node, download, upload, reported, silent) VALUES ('sentnode1a', '5670713058575455', '2', 61955.375, 45762);
INSERT INTO node_sessions (node, download, upload, reported, silent) VALUES ('sentnode1c', '27194', '13890895909', 48324.125, 804364);
INSERT INTO session_hours (node, hour, average) VALUES ('sentnode1d', 126034, 114618.125);
INSERT INTO ledger_subjects (address, first) VALUES ('it''s682', 367491);
INSERT INTO ledger_subjects (address, first) VALUES ('ключ 🔑237', 452833);
INSERT INTO session_pieces (node, first, sessions) VALUES ('sentnode1c', '66753849', '');
INSERT INTO session_pieces (node, first, sessions) VALUES ('sentnode1c', '813699', '');
INSERT INTO session_pieces (node, first, sessions) VALUES ('sentnode1d', '180132', 'DV/JetC3MPsk9qSekXJtka4SMCQSDAFWJFO2OcQMzvpy5rh2Ch6mqxxVNFZYo/BumORTNUYS9Pz99YKSsCJqUA==');
INSERT INTO lease_records (lease, height, policy, start_ms, hours) VALUES ('"quoted"802', 730669, 'plain629', 1800490970790, 481890);
INSERT INTO lease_records (lease, height, policy, start_ms, hours) VALUES ('0443', 290144, 'it''s87', 1801079145623, 884881);
INSERT INTO lease_records (lease, height, policy, start_ms, hours) VALUES ('997', 436494, '%_\616', 1801851472662, 535738);
INSERT INTO lease_records (lease, height, policy, start_ms, hours) VALUES ('{"a":1}273', 630627, 'it''s303', 1800425181875, 860815);
INSERT INTO outbox (seq, id, recipient, stream, thread_id, channel, notice, created_ms, attempts, last_failure, is_short, state, ended_ms) VALUES (1, 'notice 338836006', '{"a":1}38', '%_\69', 'ключ 🔑991', 'email', '{"id":"notice 338836006","threadId":"ключ 🔑991","kind":"firing","rule":"R","severity":"warning","title":"037","text":"it''s597","atMs":1800000000000}', 1801609842792, 773716, 'it''s976', 0, 'dead', 1800000000000);
INSERT INTO told (rule, subject, state) VALUES ('HubNodeInactive', 'ключ 🔑578', '{"rule":"HubNodeInactive","subject":"ключ 🔑578","severity":"warning","title":"it''s775","isFiring":true,"alertId":"a","stream":"s"}');
PRAGMA user_version = 20;

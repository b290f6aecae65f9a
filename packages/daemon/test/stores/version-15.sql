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
CREATE INDEX ledger_status ON ledger (node, height, position) WHERE kind IN ('node_active', 'node_inactive');
INSERT INTO heartbeats (node, at_ms) VALUES ('sentnode1c', 1802017502786);
INSERT INTO alerts (id, rule, subject, term, state, severity, since_ms, firing_ms, ended_ms, notified, title, text, group_id, owes_recovery, fired_clock_ms, ended_clock_ms) VALUES ('alert 2871316709', 'HubEndpointDown', '"quoted"21', '%_\232', 'resolved', 'critical', 1802057869157, 1800762937607, 1800003600000, 0, '404', 'plain753', NULL, 1, 1801358815193, 1800146612811);
INSERT INTO alerts (id, rule, subject, term, state, severity, since_ms, firing_ms, ended_ms, notified, title, text, group_id, owes_recovery, fired_clock_ms, ended_clock_ms) VALUES ('alert 4218145646', 'HubChainHalted', '%_\610', '{"a":1}874', 'resolved', 'warning', 1800165329451, 1801488017935, 1800003600000, 1, '%_\351', 'it''s591', '"quoted"21', 0, 1800317285917, NULL);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail, hours) VALUES (50183333, 0, 'sentnode1b', 'session_paid', '471', '37684684853', 'udvpn', 'sentprov1b', 1800495669372, '', '12218753741495478342496', 'it''s51', NULL);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail, hours) VALUES (628056854, 2, 'sentnode1c', 'lease_created', '417', '13734370858083016340911982', 'udvpn', 'sentprov1b', 1801719222937, 'sent1a', '1247336898535', NULL, 497660);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail, hours) VALUES (1079963424, 3, 'sentnode1c', 'lease_refunded', '289', NULL, 'uother', 'sentprov1a', 1801634083398, 'sent1a', '373001', NULL, NULL);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail, hours) VALUES (1094218922, 0, 'sentnode1a', 'lease_ended', '452', '11211003', 'uother', NULL, NULL, '', '24548565667', 'plain478', NULL);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail, hours) VALUES (1805906117, 2, 'sentnode1c', 'lease_created', '99', '62145300', 'udvpn', 'sentprov1b', 1800567993239, '', '1243437409980211884', '"quoted"657', 2284);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail, hours) VALUES (1935836286, 1, 'sentnode1b', 'node_inactive', '', NULL, 'udvpn', 'sentprov1a', 1800223835843, '', '42655', 'NULL115', NULL);
INSERT INTO ledger_gaps (first, last, reason, is_open) VALUES (369984, 1536, '{"a":1}431', 1);
INSERT INTO ledger_gaps (first, last, reason, is_open) VALUES (603736, 269924, 'it''s612', 0);
INSERT INTO ledger_gaps (first, last, reason, is_open) VALUES (744274, 262566, 'ключ 🔑733', 0);
INSERT INTO ledger_gaps (first, last, reason, is_open) VALUES (973268, 546275, '{"a":1}434', 1);
INSERT INTO facts (name, value) VALUES ('%_\498', 'NULL807');
INSERT INTO facts (name, value) VALUES ('0849', 'NULL741');
INSERT INTO facts (name, value) VALUES ('873', '020');
INSERT INTO facts (name, value) VALUES ('plain19', 'ключ 🔑867');
INSERT INTO outbox (seq, id, recipient, stream, thread_id, channel, notice, created_ms, attempts, last_failure, is_short, state, ended_ms) VALUES (1, 'notice 790043160', 'ключ 🔑522', '%_\896', 'ключ 🔑614', 'email', '{"id":"notice 790043160","threadId":"ключ 🔑614","kind":"firing","rule":"R","severity":"warning","title":"%_\\241","text":"it''s699","atMs":1800000000000}', 1800224718413, 452904, NULL, 0, 'dead', 1800000000000);
INSERT INTO outbox (seq, id, recipient, stream, thread_id, channel, notice, created_ms, attempts, last_failure, is_short, state, ended_ms) VALUES (2, 'notice 4061205409', '815', '0899', 'plain786', 'telegram', '{"id":"notice 4061205409","threadId":"plain786","kind":"firing","rule":"R","severity":"warning","title":"NULL178","text":"two\nlines45","atMs":1800000000000}', 1801290723873, 98097, 'it''s407', 1, 'dead', 1800000000000);
INSERT INTO outbox (seq, id, recipient, stream, thread_id, channel, notice, created_ms, attempts, last_failure, is_short, state, ended_ms) VALUES (3, 'notice 2299935825', '721', 'plain686', '{"a":1}466', 'telegram', '{"id":"notice 2299935825","threadId":"{\"a\":1}466","kind":"firing","rule":"R","severity":"warning","title":"\"quoted\"963","text":"{\"a\":1}401","atMs":1800000000000}', 1801168815480, 806560, NULL, 1, 'dead', 1800000000000);
INSERT INTO outbox (seq, id, recipient, stream, thread_id, channel, notice, created_ms, attempts, last_failure, is_short, state, ended_ms) VALUES (4, 'notice 365049910', 'it''s811', 'ключ 🔑38', 'plain372', 'email', '{"id":"notice 365049910","threadId":"plain372","kind":"firing","rule":"R","severity":"warning","title":"238","text":"ключ 🔑707","atMs":1800000000000}', 1801780521857, 837438, NULL, 1, 'waiting', NULL);
INSERT INTO silences (id, rule, subject, from_ms, until_ms, comment) VALUES ('%_\96', 'HubChainHalted', '"quoted"590', 1800118852312, 1800625368536, 'ключ 🔑926');
INSERT INTO silences (id, rule, subject, from_ms, until_ms, comment) VALUES ('0926', NULL, 'two
lines637', 1802083183439, 1800797098264, '0749');
INSERT INTO silences (id, rule, subject, from_ms, until_ms, comment) VALUES ('733', NULL, 'NULL907', 1801416989179, 1801090542864, 'ключ 🔑55');
INSERT INTO silences (id, rule, subject, from_ms, until_ms, comment) VALUES ('two
lines21', 'HubChainHalted', '%_\246', 1800932398135, 1800306598912, 'ключ 🔑674');
INSERT INTO seen_values (kind, subject, field, value, height) VALUES ('169', 'two
lines427', '{"a":1}55', 'plain460', '0126');
INSERT INTO seen_values (kind, subject, field, value, height) VALUES ('NULL358', 'two
lines130', '%_\964', '0122', 'ключ 🔑139');
INSERT INTO seen_values (kind, subject, field, value, height) VALUES ('two
lines656', '807', '734', 'it''s167', 'NULL240');
INSERT INTO changes (seq, kind, subject, field, before, after, height, at_ms) VALUES (1, '817', '210', 'it''s184', '%_\48', '"quoted"780', 'two
lines367', 1802102890144);
INSERT INTO changes (seq, kind, subject, field, before, after, height, at_ms) VALUES (2, '446', '632', '"quoted"990', 'it''s456', '{"a":1}376', 'it''s344', 1800660787374);
INSERT INTO changes (seq, kind, subject, field, before, after, height, at_ms) VALUES (3, 'plain523', 'two
lines382', '407', '"quoted"398', '"quoted"154', '0960', 1801847949305);
INSERT INTO change_counts (kind, subject, count) VALUES ('00', '%_\270', 119915);
INSERT INTO change_counts (kind, subject, count) VALUES ('0866', 'ключ 🔑418', 987702);
INSERT INTO change_counts (kind, subject, count) VALUES ('NULL180', 'ключ 🔑105', 503713);
INSERT INTO ledger_totals (kind, node, provider, account, denom, detail, entries, amount, stakers) VALUES ('"quoted"369', 'sentnode1a', 'sentprov1a', '%_\546', 'uother', 'two
lines146', 857748, '1308596434567906', '6586337');
INSERT INTO ledger_totals (kind, node, provider, account, denom, detail, entries, amount, stakers) VALUES ('two
lines60', 'sentnode1a', 'sentprov1b', '"quoted"147', 'udvpn', 'ключ 🔑804', 168012, '34803981298136283289995953', '1126704617441933547');
INSERT INTO ledger_totals (kind, node, provider, account, denom, detail, entries, amount, stakers) VALUES ('{"a":1}259', 'sentnode1d', 'sentprov1b', 'two
lines22', 'udvpn', '%_\445', 281130, '499351324920259390599659', '1238649126900372828435');
INSERT INTO ledger_payouts (lease, node, provider, payouts) VALUES ('"quoted"398', 'sentnode1c', 'sentprov1a', 774714);
INSERT INTO sweeps (collection, endpoint, height, records, completed_ms, sums) VALUES ('it''s21', 'two
lines768', 'two
lines301', 913022, 1800182698854, '[]');
INSERT INTO sweeps (collection, endpoint, height, records, completed_ms, sums) VALUES ('ключ 🔑609', 'ключ 🔑916', '"quoted"93', 269557, 1801714716326, '[]');
INSERT INTO node_sessions (node, download, upload) VALUES ('sentnode1b', '42196', '8948846671300137');
INSERT INTO node_sessions (node, download, upload) VALUES ('sentnode1c', '51894032', '1');
INSERT INTO node_sessions (node, download, upload) VALUES ('sentnode1d', '1190516703417843758', '876088');
INSERT INTO session_hours (node, hour, average) VALUES ('sentnode1a', 370080, 36160.5);
INSERT INTO ledger_subjects (address, first) VALUES ('046', 27497);
INSERT INTO ledger_subjects (address, first) VALUES ('068', 613566);
INSERT INTO ledger_subjects (address, first) VALUES ('{"a":1}278', 648717);
INSERT INTO ledger_subjects (address, first) VALUES ('{"a":1}885', 295695);
INSERT INTO session_pieces (node, first, sessions) VALUES ('sentnode1a', '19341896', 'KjBIwy3Sasnk34wgjts7jS3PWUWgQs6C6bZ/raohV/I=');
PRAGMA user_version = 15;

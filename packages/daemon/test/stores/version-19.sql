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
CREATE TABLE told (
    rule TEXT NOT NULL,
    subject TEXT NOT NULL,
    state TEXT NOT NULL,
    PRIMARY KEY (rule, subject)
  ) WITHOUT ROWID;
INSERT INTO heartbeats (node, at_ms) VALUES ('sentnode1b', 1801238578120);
INSERT INTO heartbeats (node, at_ms) VALUES ('sentnode1b', 1801403505721);
INSERT INTO heartbeats (node, at_ms) VALUES ('sentnode1c', 1801137519402);
INSERT INTO heartbeats (node, at_ms) VALUES ('sentnode1d', 1800244303767);
INSERT INTO alerts (id, rule, subject, term, state, severity, since_ms, firing_ms, ended_ms, notified, title, text, group_id, owes_recovery, fired_clock_ms, ended_clock_ms, hold_ran_ms, hold_since_ms) VALUES ('alert 1682526404', 'HubNodeInactive', 'ключ 🔑713', 'NULL467', 'firing', 'warning', 1801305929762, NULL, NULL, 1, 'it''s961', '0474', NULL, 0, 1801858397787, NULL, 1800665424403, NULL);
INSERT INTO alerts (id, rule, subject, term, state, severity, since_ms, firing_ms, ended_ms, notified, title, text, group_id, owes_recovery, fired_clock_ms, ended_clock_ms, hold_ran_ms, hold_since_ms) VALUES ('alert 2791090984', 'HubChainHalted', '377', 'ключ 🔑521', 'firing', 'warning', 1800220994568, 1801302284115, NULL, 0, '"quoted"469', 'plain357', 'plain568', 0, NULL, NULL, 1801387634984, NULL);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail, hours) VALUES (179964421, 2, 'sentnode1c', 'lease_created', '185', NULL, 'udvpn', 'sentprov1b', 1800205549667, 'sent1a', '258886898678996212082447', '"quoted"563', NULL);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail, hours) VALUES (1176362961, 2, 'sentnode1c', 'session_paid', '95', NULL, NULL, 'sentprov1b', NULL, '', NULL, '%_\475', 845174);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail, hours) VALUES (1428712853, 0, 'sentnode1a', 'node_active', '', NULL, 'udvpn', NULL, 1801634704416, '', NULL, NULL, 638943);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail, hours) VALUES (1637354649, 1, 'sentnode1a', 'lease_refunded', '195', '4479950645798669477', NULL, NULL, 1801948275149, 'sent1a', '3556348562853773399', 'ключ 🔑784', 514107);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail, hours) VALUES (1686407441, 2, 'sentnode1b', 'lease_created', '62', '3467', 'udvpn', NULL, NULL, 'sent1a', '1452945663363', '581', 615023);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail, hours) VALUES (2087380565, 2, 'sentnode1a', 'lease_created', '0', NULL, 'uother', 'sentprov1a', NULL, 'sent1a', '26221819762993724', '"quoted"13', 726671);
INSERT INTO ledger_gaps (first, last, reason, is_open) VALUES (746308, 159421, 'two
lines602', 0);
INSERT INTO facts (name, value) VALUES ('plain16', 'it''s75');
INSERT INTO silences (id, rule, subject, from_ms, until_ms, comment) VALUES ('two
lines465', 'HubChainHalted', 'it''s864', 1800203056046, 1802137089725, '"quoted"812');
INSERT INTO seen_values (kind, subject, field, value, height) VALUES ('{"a":1}863', 'NULL32', '442', '%_\926', 'plain312');
INSERT INTO changes (seq, kind, subject, field, before, after, height, at_ms) VALUES (1, '0393', 'plain108', '{"a":1}409', '0563', 'it''s960', '0575', 1801084624150);
INSERT INTO changes (seq, kind, subject, field, before, after, height, at_ms) VALUES (2, 'plain834', 'NULL25', 'NULL207', '0192', '0905', 'two
lines884', 1800056570552);
INSERT INTO changes (seq, kind, subject, field, before, after, height, at_ms) VALUES (3, '{"a":1}529', 'plain520', '{"a":1}506', 'NULL42', 'NULL889', '"quoted"259', 1800088467410);
INSERT INTO change_counts (kind, subject, count) VALUES ('"quoted"630', 'NULL433', 590432);
INSERT INTO change_counts (kind, subject, count) VALUES ('plain109', 'two
lines47', 995568);
INSERT INTO change_counts (kind, subject, count) VALUES ('ключ 🔑640', 'two
lines199', 527465);
INSERT INTO change_counts (kind, subject, count) VALUES ('ключ 🔑760', 'two
lines780', 1744);
INSERT INTO ledger_totals (kind, node, provider, account, denom, detail, entries, amount, stakers) VALUES ('NULL295', 'sentnode1d', 'sentprov1b', 'plain923', 'udvpn', '371', 789872, '34087211165330231174808', '284813460798214158');
INSERT INTO ledger_totals (kind, node, provider, account, denom, detail, entries, amount, stakers) VALUES ('NULL692', 'sentnode1b', 'sentprov1a', '{"a":1}432', 'uother', 'it''s735', 743002, '188224449977755392', '89179021053915184');
INSERT INTO ledger_payouts (lease, node, provider, payouts) VALUES ('%_\461', 'sentnode1c', 'sentprov1a', 582386);
INSERT INTO ledger_payouts (lease, node, provider, payouts) VALUES ('561', 'sentnode1d', 'sentprov1a', 616758);
INSERT INTO ledger_payouts (lease, node, provider, payouts) VALUES ('it''s287', 'sentnode1b', 'sentprov1b', 941730);
INSERT INTO ledger_payouts (lease, node, provider, payouts) VALUES ('two
lines704', 'sentnode1c', 'sentprov1b', 854861);
INSERT INTO sweeps (collection, endpoint, height, records, completed_ms, sums) VALUES ('330', 'NULL162', '{"a":1}496', 399570, 1800184834191, '[]');
INSERT INTO node_sessions (node, download, upload, reported, silent) VALUES ('sentnode1a', '3166282764428288', '175558892', 23179.125, 853732);
INSERT INTO node_sessions (node, download, upload, reported, silent) VALUES ('sentnode1d', '1024344160', '3397359', 97843.375, 598943);
INSERT INTO session_hours (node, hour, average) VALUES ('sentnode1b', 377429, 98637.875);
INSERT INTO session_hours (node, hour, average) VALUES ('sentnode1b', 547511, 32100.25);
INSERT INTO session_hours (node, hour, average) VALUES ('sentnode1b', 642511, 123176.875);
INSERT INTO session_hours (node, hour, average) VALUES ('sentnode1c', 583356, 31113);
INSERT INTO ledger_subjects (address, first) VALUES ('NULL789', 180369);
INSERT INTO ledger_subjects (address, first) VALUES ('it''s777', 577677);
INSERT INTO ledger_subjects (address, first) VALUES ('two
lines899', 914107);
INSERT INTO session_pieces (node, first, sessions) VALUES ('sentnode1a', '350070', '');
INSERT INTO session_pieces (node, first, sessions) VALUES ('sentnode1a', '98330', 'inzNq/h6mCKtfPkNI5ZQojPoycoNVLauvUevU8j+LyA=');
INSERT INTO lease_records (lease, height, policy, start_ms, hours) VALUES ('"quoted"7', 735152, '{"a":1}868', 1801358555557, 282882);
INSERT INTO lease_records (lease, height, policy, start_ms, hours) VALUES ('0735', 778082, 'NULL761', 1800882739565, 148563);
INSERT INTO lease_records (lease, height, policy, start_ms, hours) VALUES ('NULL523', 646173, '0537', 1801589554427, 135689);
INSERT INTO lease_records (lease, height, policy, start_ms, hours) VALUES ('ключ 🔑51', 29190, '{"a":1}334', 1801526842218, 424326);
INSERT INTO outbox (seq, id, recipient, stream, thread_id, channel, notice, created_ms, attempts, last_failure, is_short, state, ended_ms) VALUES (1, 'notice 1350191373', 'ключ 🔑587', 'ключ 🔑317', 'it''s602', 'email', '{"id":"notice 1350191373","threadId":"it''s602","kind":"firing","rule":"R","severity":"warning","title":"\"quoted\"812","text":"0646","atMs":1800000000000}', 1801904619521, 131947, 'two
lines148', 0, 'delivered', 1800000000000);
INSERT INTO outbox (seq, id, recipient, stream, thread_id, channel, notice, created_ms, attempts, last_failure, is_short, state, ended_ms) VALUES (2, 'notice 2568432730', '0297', 'ключ 🔑953', 'two
lines402', 'email', '{"id":"notice 2568432730","threadId":"two\nlines402","kind":"firing","rule":"R","severity":"warning","title":"%_\\863","text":"{\"a\":1}647","atMs":1800000000000}', 1802022182289, 604084, '%_\30', 0, 'waiting', NULL);
INSERT INTO outbox (seq, id, recipient, stream, thread_id, channel, notice, created_ms, attempts, last_failure, is_short, state, ended_ms) VALUES (3, 'notice 1909796864', '"quoted"246', '%_\556', 'two
lines197', 'email', '{"id":"notice 1909796864","threadId":"two\nlines197","kind":"firing","rule":"R","severity":"warning","title":"two\nlines930","text":"ключ 🔑354","atMs":1800000000000}', 1801874932498, 373440, NULL, 1, 'delivered', 1800000000000);
INSERT INTO told (rule, subject, state) VALUES ('HubEndpointDown', '692', '{"rule":"HubEndpointDown","subject":"692","severity":"warning","title":"ключ 🔑7","isFiring":true,"alertId":"a","stream":"s"}');
INSERT INTO told (rule, subject, state) VALUES ('HubEndpointDown', 'it''s252', '{"rule":"HubEndpointDown","subject":"it''s252","severity":"warning","title":"\"quoted\"959","isFiring":true,"alertId":"a","stream":"s"}');
PRAGMA user_version = 19;

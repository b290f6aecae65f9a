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
INSERT INTO heartbeats (node, at_ms) VALUES ('sentnode1a', 1802014215291);
INSERT INTO heartbeats (node, at_ms) VALUES ('sentnode1c', 1800402899928);
INSERT INTO alerts (id, rule, subject, term, state, severity, since_ms, firing_ms, ended_ms, notified, title, text, group_id, owes_recovery, fired_clock_ms, ended_clock_ms) VALUES ('alert 1672563286', 'HubNodeInactive', 'two
lines579', 'NULL340', 'resolved', 'warning', 1801505234312, 1801400516215, 1800003600000, 1, 'NULL797', 'plain23', 'plain912', 0, 1801039516224, 1801427313984);
INSERT INTO alerts (id, rule, subject, term, state, severity, since_ms, firing_ms, ended_ms, notified, title, text, group_id, owes_recovery, fired_clock_ms, ended_clock_ms) VALUES ('alert 3976936529', 'HubEndpointDown', 'plain213', 'NULL880', 'firing', 'warning', 1800699391117, 1800439429953, NULL, 0, 'two
lines300', '{"a":1}958', NULL, 0, 1800332408610, 1800861546955);
INSERT INTO alerts (id, rule, subject, term, state, severity, since_ms, firing_ms, ended_ms, notified, title, text, group_id, owes_recovery, fired_clock_ms, ended_clock_ms) VALUES ('alert 3947684599', 'HubEndpointDown', 'NULL302', 'ключ 🔑758', 'pending', 'warning', 1801342421062, NULL, NULL, 0, 'it''s731', '%_\969', NULL, 0, 1800827314686, NULL);
INSERT INTO alerts (id, rule, subject, term, state, severity, since_ms, firing_ms, ended_ms, notified, title, text, group_id, owes_recovery, fired_clock_ms, ended_clock_ms) VALUES ('alert 47353806', 'HubChainHalted', 'two
lines84', '%_\212', 'resolved', 'warning', 1801165963045, 1801858516771, 1800003600000, 1, '"quoted"643', 'plain57', 'it''s397', 0, 1800873895907, 1801639624359);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail, hours) VALUES (626464758, 0, 'sentnode1c', 'session_paid', '102', '44523380114720558788797214', NULL, NULL, 1800884076525, '', NULL, '0108', 177112);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail, hours) VALUES (1399339862, 1, 'sentnode1b', 'lease_ended', '257', NULL, NULL, NULL, NULL, 'sent1a', '220776775026163988270853', NULL, 763271);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail, hours) VALUES (1809369410, 3, 'sentnode1d', 'lease_paid', '324', '135611329017822402671511837', 'uother', 'sentprov1a', 1801727178761, '', NULL, 'plain731', 908625);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail, hours) VALUES (1826859200, 1, 'sentnode1a', 'node_inactive', '', NULL, NULL, 'sentprov1b', 1800610415098, 'sent1a', '1135564901994143617425', 'ключ 🔑449', 949841);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail, hours) VALUES (1970761939, 3, 'sentnode1b', 'lease_refunded', '401', '10676939', 'uother', NULL, 1801168433343, '', '9938659534513', NULL, 703538);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail, hours) VALUES (2033648645, 3, 'sentnode1b', 'lease_paid', '309', NULL, 'uother', 'sentprov1a', 1801361501818, '', '17487897770577373897070', 'plain277', 702527);
INSERT INTO ledger_gaps (first, last, reason, is_open) VALUES (547962, 459878, 'ключ 🔑367', 1);
INSERT INTO ledger_gaps (first, last, reason, is_open) VALUES (720540, 434804, '%_\425', 1);
INSERT INTO ledger_gaps (first, last, reason, is_open) VALUES (838301, 626882, '375', 0);
INSERT INTO facts (name, value) VALUES ('462', 'NULL471');
INSERT INTO facts (name, value) VALUES ('two
lines738', 'it''s678');
INSERT INTO facts (name, value) VALUES ('{"a":1}524', 'it''s456');
INSERT INTO outbox (seq, id, recipient, stream, thread_id, channel, notice, created_ms, attempts, last_failure, is_short, state, ended_ms) VALUES (1, 'notice 2254413613', '493', 'ключ 🔑786', '%_\563', 'email', '{"id":"notice 2254413613","threadId":"%_\\563","kind":"firing","rule":"R","severity":"warning","title":"837","text":"\"quoted\"506","atMs":1800000000000}', 1801523857009, 867589, '0116', 1, 'dead', 1800000000000);
INSERT INTO outbox (seq, id, recipient, stream, thread_id, channel, notice, created_ms, attempts, last_failure, is_short, state, ended_ms) VALUES (2, 'notice 645315012', 'two
lines445', 'NULL542', 'plain540', 'email', '{"id":"notice 645315012","threadId":"plain540","kind":"firing","rule":"R","severity":"warning","title":"0795","text":"NULL610","atMs":1800000000000}', 1801687188470, 807564, 'plain195', 1, 'delivered', 1800000000000);
INSERT INTO outbox (seq, id, recipient, stream, thread_id, channel, notice, created_ms, attempts, last_failure, is_short, state, ended_ms) VALUES (3, 'notice 1177378600', '{"a":1}4', 'NULL372', '{"a":1}319', 'email', '{"id":"notice 1177378600","threadId":"{\"a\":1}319","kind":"firing","rule":"R","severity":"warning","title":"0980","text":"ключ 🔑610","atMs":1800000000000}', 1800699376937, 603208, NULL, 0, 'waiting', NULL);
INSERT INTO outbox (seq, id, recipient, stream, thread_id, channel, notice, created_ms, attempts, last_failure, is_short, state, ended_ms) VALUES (4, 'notice 339807840', '%_\430', 'ключ 🔑964', '"quoted"937', 'telegram', '{"id":"notice 339807840","threadId":"\"quoted\"937","kind":"firing","rule":"R","severity":"warning","title":"632","text":"%_\\142","atMs":1800000000000}', 1801085825552, 732456, 'plain761', 1, 'delivered', 1800000000000);
INSERT INTO silences (id, rule, subject, from_ms, until_ms, comment) VALUES ('0983', 'HubChainHalted', NULL, 1801956074188, 1802091823546, 'NULL477');
INSERT INTO silences (id, rule, subject, from_ms, until_ms, comment) VALUES ('it''s466', NULL, '{"a":1}49', 1800522141454, 1800434130798, '%_\110');
INSERT INTO silences (id, rule, subject, from_ms, until_ms, comment) VALUES ('two
lines812', NULL, '"quoted"200', 1801003290178, 1801248071551, '%_\915');
INSERT INTO seen_values (kind, subject, field, value, height) VALUES ('"quoted"644', '%_\412', 'plain118', '0318', '%_\204');
INSERT INTO seen_values (kind, subject, field, value, height) VALUES ('two
lines12', '{"a":1}226', 'plain156', '834', NULL);
INSERT INTO seen_values (kind, subject, field, value, height) VALUES ('two
lines966', '"quoted"659', 'plain783', '"quoted"788', NULL);
INSERT INTO seen_values (kind, subject, field, value, height) VALUES ('{"a":1}182', 'ключ 🔑291', '"quoted"131', '{"a":1}831', '0930');
INSERT INTO changes (seq, kind, subject, field, before, after, height, at_ms) VALUES (1, 'plain92', '"quoted"853', '%_\698', '438', '{"a":1}777', 'NULL790', 1800419324310);
INSERT INTO changes (seq, kind, subject, field, before, after, height, at_ms) VALUES (2, '"quoted"63', '{"a":1}576', '{"a":1}495', '0292', 'plain713', 'ключ 🔑109', 1800643051703);
INSERT INTO changes (seq, kind, subject, field, before, after, height, at_ms) VALUES (3, 'plain698', 'NULL322', 'NULL850', 'two
lines192', '404', '%_\382', 1800622303058);
INSERT INTO changes (seq, kind, subject, field, before, after, height, at_ms) VALUES (4, 'ключ 🔑166', 'ключ 🔑354', 'plain36', 'two
lines680', '{"a":1}865', '"quoted"505', 1800595679645);
INSERT INTO change_counts (kind, subject, count) VALUES ('"quoted"591', 'plain159', 172535);
INSERT INTO change_counts (kind, subject, count) VALUES ('it''s799', '027', 815669);
INSERT INTO ledger_totals (kind, node, provider, account, denom, detail, entries, amount, stakers) VALUES ('"quoted"193', 'sentnode1b', 'sentprov1b', 'ключ 🔑723', 'uother', '0213', 57309, '29560', '450625');
INSERT INTO ledger_totals (kind, node, provider, account, denom, detail, entries, amount, stakers) VALUES ('45', 'sentnode1c', 'sentprov1a', '%_\788', 'uother', 'ключ 🔑716', 159084, '1021058140329088807645894', '6663');
INSERT INTO ledger_totals (kind, node, provider, account, denom, detail, entries, amount, stakers) VALUES ('77', 'sentnode1d', 'sentprov1a', 'it''s740', 'uother', '%_\551', 606329, '66357812220009923115043089', '16797100387658759851843');
INSERT INTO ledger_payouts (lease, node, provider, payouts) VALUES ('568', 'sentnode1a', 'sentprov1b', 112898);
INSERT INTO sweeps (collection, endpoint, height, records, completed_ms, sums) VALUES ('97', '357', 'ключ 🔑798', 589130, 1800735723899, '[]');
INSERT INTO sweeps (collection, endpoint, height, records, completed_ms, sums) VALUES ('plain511', '0486', '848', 799462, 1801460453074, '[]');
INSERT INTO sweeps (collection, endpoint, height, records, completed_ms, sums) VALUES ('ключ 🔑481', '"quoted"913', 'two
lines70', 443102, 1800890473763, '[]');
INSERT INTO node_sessions (node, download, upload, reported, silent) VALUES ('sentnode1b', '3074564422902041613', '36', 122105, 249256);
INSERT INTO node_sessions (node, download, upload, reported, silent) VALUES ('sentnode1d', '41194380548685158', '209617460', 109492.375, 143596);
INSERT INTO session_hours (node, hour, average) VALUES ('sentnode1a', 568645, 72960.5);
INSERT INTO session_hours (node, hour, average) VALUES ('sentnode1b', 593460, 790.375);
INSERT INTO session_hours (node, hour, average) VALUES ('sentnode1c', 18060, 3243);
INSERT INTO session_hours (node, hour, average) VALUES ('sentnode1c', 176063, 124760.125);
INSERT INTO ledger_subjects (address, first) VALUES ('%_\931', 899815);
INSERT INTO ledger_subjects (address, first) VALUES ('it''s151', 874787);
INSERT INTO ledger_subjects (address, first) VALUES ('plain494', 898457);
INSERT INTO session_pieces (node, first, sessions) VALUES ('sentnode1b', '4736118581', '');
PRAGMA user_version = 16;

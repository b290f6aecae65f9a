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
CREATE TABLE lease_records (
    lease TEXT PRIMARY KEY,
    height INTEGER NOT NULL,
    policy TEXT NOT NULL,
    start_ms REAL NOT NULL,
    hours INTEGER NOT NULL
  ) WITHOUT ROWID;
INSERT INTO heartbeats (node, at_ms) VALUES ('sentnode1d', 1800605851093);
INSERT INTO alerts (id, rule, subject, term, state, severity, since_ms, firing_ms, ended_ms, notified, title, text, group_id, owes_recovery, fired_clock_ms, ended_clock_ms) VALUES ('alert 1375638819', 'HubChainHalted', '"quoted"235', 'plain630', 'resolved', 'warning', 1801484229963, 1801194438987, 1800003600000, 0, '63', 'NULL320', '{"a":1}605', 1, NULL, 1800225706967);
INSERT INTO alerts (id, rule, subject, term, state, severity, since_ms, firing_ms, ended_ms, notified, title, text, group_id, owes_recovery, fired_clock_ms, ended_clock_ms) VALUES ('alert 615011135', 'HubEndpointDown', '%_\87', '%_\247', 'resolved', 'warning', 1800400828854, NULL, 1800003600000, 1, 'plain476', '0587', '775', 0, NULL, NULL);
INSERT INTO alerts (id, rule, subject, term, state, severity, since_ms, firing_ms, ended_ms, notified, title, text, group_id, owes_recovery, fired_clock_ms, ended_clock_ms) VALUES ('alert 3887944302', 'HubEndpointDown', '{"a":1}815', '%_\435', 'firing', 'critical', 1801351544835, NULL, NULL, 1, 'plain319', 'two
lines556', NULL, 0, 1800051203179, 1801994467233);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail, hours) VALUES (230849959, 3, 'sentnode1c', 'node_active', '', NULL, 'uother', 'sentprov1b', NULL, 'sent1a', '4172002115693129261373', '{"a":1}614', 878293);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail, hours) VALUES (790695035, 0, 'sentnode1c', 'session_paid', '17', '7818188474392176590504468', 'udvpn', 'sentprov1a', 1801228004778, '', NULL, '0614', 260901);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail, hours) VALUES (889401369, 0, 'sentnode1b', 'lease_ended', '154', '12394328495391', 'udvpn', NULL, 1800549300647, 'sent1a', '1448853252', '%_\275', NULL);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail, hours) VALUES (1136463481, 1, 'sentnode1a', 'lease_ended', '467', NULL, 'udvpn', 'sentprov1a', 1800019663110, 'sent1a', '207600584918054867', NULL, 744849);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail, hours) VALUES (1449447244, 0, 'sentnode1c', 'session_paid', '33', '1891410182482532', 'udvpn', 'sentprov1b', 1801419858748, '', '1708956359', NULL, NULL);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail, hours) VALUES (1904568681, 1, 'sentnode1b', 'lease_paid', '172', NULL, 'udvpn', 'sentprov1a', 1801083576964, 'sent1a', '109', NULL, NULL);
INSERT INTO ledger_gaps (first, last, reason, is_open) VALUES (718545, 232208, '{"a":1}494', 1);
INSERT INTO facts (name, value) VALUES ('{"a":1}961', '"quoted"302');
INSERT INTO outbox (seq, id, recipient, stream, thread_id, channel, notice, created_ms, attempts, last_failure, is_short, state, ended_ms) VALUES (1, 'notice 3488932029', 'plain261', 'ключ 🔑730', '0508', 'email', '{"id":"notice 3488932029","threadId":"0508","kind":"firing","rule":"R","severity":"warning","title":"0985","text":"plain275","atMs":1800000000000}', 1800719856862, 576202, '{"a":1}575', 0, 'dead', 1800000000000);
INSERT INTO outbox (seq, id, recipient, stream, thread_id, channel, notice, created_ms, attempts, last_failure, is_short, state, ended_ms) VALUES (2, 'notice 1488848759', 'ключ 🔑560', '"quoted"534', 'NULL986', 'telegram', '{"id":"notice 1488848759","threadId":"NULL986","kind":"firing","rule":"R","severity":"warning","title":"0498","text":"NULL450","atMs":1800000000000}', 1801936167106, 951920, '%_\852', 0, 'waiting', NULL);
INSERT INTO outbox (seq, id, recipient, stream, thread_id, channel, notice, created_ms, attempts, last_failure, is_short, state, ended_ms) VALUES (3, 'notice 1065194506', '{"a":1}76', '"quoted"10', 'it''s1', 'email', '{"id":"notice 1065194506","threadId":"it''s1","kind":"firing","rule":"R","severity":"warning","title":"NULL165","text":"it''s81","atMs":1800000000000}', 1801946387202, 786489, '%_\221', 0, 'waiting', NULL);
INSERT INTO outbox (seq, id, recipient, stream, thread_id, channel, notice, created_ms, attempts, last_failure, is_short, state, ended_ms) VALUES (4, 'notice 581846741', 'plain624', 'NULL284', 'two
lines715', 'telegram', '{"id":"notice 581846741","threadId":"two\nlines715","kind":"firing","rule":"R","severity":"warning","title":"\"quoted\"813","text":"NULL298","atMs":1800000000000}', 1801870598962, 600324, '{"a":1}655', 0, 'delivered', 1800000000000);
INSERT INTO silences (id, rule, subject, from_ms, until_ms, comment) VALUES ('plain881', 'HubNodeInactive', '0619', 1801489526371, 1800588723581, '"quoted"46');
INSERT INTO silences (id, rule, subject, from_ms, until_ms, comment) VALUES ('{"a":1}914', NULL, 'it''s970', 1802022048808, 1800406550211, '{"a":1}498');
INSERT INTO silences (id, rule, subject, from_ms, until_ms, comment) VALUES ('ключ 🔑59', NULL, '%_\581', 1800109243649, 1801683887374, '0740');
INSERT INTO seen_values (kind, subject, field, value, height) VALUES ('966', '0112', '{"a":1}289', 'NULL527', 'NULL896');
INSERT INTO changes (seq, kind, subject, field, before, after, height, at_ms) VALUES (1, 'ключ 🔑605', 'ключ 🔑316', '"quoted"865', 'two
lines347', 'two
lines987', '0459', 1801179534462);
INSERT INTO changes (seq, kind, subject, field, before, after, height, at_ms) VALUES (2, 'it''s707', '{"a":1}466', 'it''s498', 'plain709', 'two
lines442', 'it''s49', 1800661698450);
INSERT INTO changes (seq, kind, subject, field, before, after, height, at_ms) VALUES (3, 'NULL349', '{"a":1}921', '0745', '963', 'NULL283', NULL, 1801130111318);
INSERT INTO changes (seq, kind, subject, field, before, after, height, at_ms) VALUES (4, '%_\546', 'plain417', 'plain533', '0996', 'two
lines739', '0499', 1802035599374);
INSERT INTO change_counts (kind, subject, count) VALUES ('0826', '0588', 14733);
INSERT INTO ledger_totals (kind, node, provider, account, denom, detail, entries, amount, stakers) VALUES ('it''s999', 'sentnode1d', 'sentprov1a', '"quoted"745', 'uother', 'NULL642', 482135, '188679468', '2398546723');
INSERT INTO ledger_totals (kind, node, provider, account, denom, detail, entries, amount, stakers) VALUES ('plain9', 'sentnode1c', 'sentprov1a', 'two
lines782', 'uother', 'ключ 🔑912', 136734, '1726575735845', '0');
INSERT INTO ledger_totals (kind, node, provider, account, denom, detail, entries, amount, stakers) VALUES ('two
lines940', 'sentnode1a', 'sentprov1a', '0541', 'uother', '911', 5422, '431768283261886369112142379', '2158910554272101');
INSERT INTO ledger_totals (kind, node, provider, account, denom, detail, entries, amount, stakers) VALUES ('ключ 🔑410', 'sentnode1d', 'sentprov1a', '{"a":1}256', 'uother', 'plain870', 891282, '788885961680454947120845', '59');
INSERT INTO ledger_payouts (lease, node, provider, payouts) VALUES ('01', 'sentnode1b', 'sentprov1b', 758394);
INSERT INTO ledger_payouts (lease, node, provider, payouts) VALUES ('plain595', 'sentnode1d', 'sentprov1a', 509969);
INSERT INTO sweeps (collection, endpoint, height, records, completed_ms, sums) VALUES ('"quoted"174', 'it''s213', '543', 62004, 1801808093437, '[]');
INSERT INTO sweeps (collection, endpoint, height, records, completed_ms, sums) VALUES ('NULL160', '0344', '%_\334', 347940, 1800994662635, '[]');
INSERT INTO sweeps (collection, endpoint, height, records, completed_ms, sums) VALUES ('ключ 🔑67', '{"a":1}891', 'plain950', 18847, 1800421800055, '[]');
INSERT INTO node_sessions (node, download, upload, reported, silent) VALUES ('sentnode1d', '3762532866432043', '194396961429312549', 6645.625, 768253);
INSERT INTO session_hours (node, hour, average) VALUES ('sentnode1b', 891131, 14164.375);
INSERT INTO ledger_subjects (address, first) VALUES ('"quoted"674', 558111);
INSERT INTO ledger_subjects (address, first) VALUES ('0308', 185563);
INSERT INTO ledger_subjects (address, first) VALUES ('it''s40', 605439);
INSERT INTO session_pieces (node, first, sessions) VALUES ('sentnode1a', '1336395', '');
INSERT INTO session_pieces (node, first, sessions) VALUES ('sentnode1b', '3', 'FfwxJtGn11p8cxsYddg+lITEWWj1lWAcTi5PWd5sVKNFqk+qBR35X4kUkRLjAuMnHyGkYKtEKBQijYzg/tjPBg==');
INSERT INTO session_pieces (node, first, sessions) VALUES ('sentnode1d', '2740691', 'j0iCCsfS2/Nz9MiGEVelo6cngMi+jvTndp3McvSXHsGJ4fQd/aV0K5PuhPi81TkGYuDrpEQGs3QWmocQuS+0imeGrLEyEmdQ76ucqBgY6ERM8kG3EulDuk4v0mIhfoUy');
INSERT INTO lease_records (lease, height, policy, start_ms, hours) VALUES ('"quoted"530', 531300, '922', 1800600769520, 155678);
INSERT INTO lease_records (lease, height, policy, start_ms, hours) VALUES ('"quoted"534', 981375, '%_\572', 1801942558151, 345349);
INSERT INTO lease_records (lease, height, policy, start_ms, hours) VALUES ('"quoted"757', 81162, '{"a":1}730', 1800574560380, 782691);
PRAGMA user_version = 17;

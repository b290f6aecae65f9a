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
  , group_id TEXT, owes_recovery INTEGER NOT NULL DEFAULT 0);
CREATE UNIQUE INDEX alerts_active ON alerts (rule, subject, term) WHERE state <> 'resolved';
CREATE INDEX alerts_ended ON alerts (ended_ms) WHERE state = 'resolved';
CREATE TABLE ledger (
    height INTEGER NOT NULL,
    position INTEGER NOT NULL,
    node TEXT NOT NULL,
    kind TEXT NOT NULL,
    lease_id TEXT,
    amount TEXT,
    denom TEXT,
    provider TEXT, block_ms INTEGER,
    PRIMARY KEY (height, position)
  ) WITHOUT ROWID;
CREATE INDEX ledger_node ON ledger (node, height);
CREATE TABLE ledger_gaps (first INTEGER PRIMARY KEY, last INTEGER NOT NULL, reason TEXT NOT NULL) WITHOUT ROWID;
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
INSERT INTO heartbeats (node, at_ms) VALUES ('sentnode1c', 1800166196956);
INSERT INTO alerts (id, rule, subject, term, state, severity, since_ms, firing_ms, ended_ms, notified, title, text, group_id, owes_recovery) VALUES ('alert 409588840', 'HubChainHalted', '"quoted"732', 'NULL528', 'resolved', 'warning', 1801580362161, 1802103546818, 1800003600000, 1, 'it''s752', 'ключ 🔑342', '485', 0);
INSERT INTO alerts (id, rule, subject, term, state, severity, since_ms, firing_ms, ended_ms, notified, title, text, group_id, owes_recovery) VALUES ('alert 3295832288', 'HubEndpointDown', '623', 'it''s556', 'pending', 'critical', 1801978419190, NULL, NULL, 0, '%_\956', '481', '{"a":1}555', 0);
INSERT INTO alerts (id, rule, subject, term, state, severity, since_ms, firing_ms, ended_ms, notified, title, text, group_id, owes_recovery) VALUES ('alert 4206105508', 'HubChainHalted', '239', 'ключ 🔑787', 'firing', 'warning', 1801369562232, 1801317876231, NULL, 1, '%_\307', '0773', NULL, 0);
INSERT INTO alerts (id, rule, subject, term, state, severity, since_ms, firing_ms, ended_ms, notified, title, text, group_id, owes_recovery) VALUES ('alert 647139686', 'HubNodeInactive', '9', 'plain669', 'resolved', 'critical', 1801465531824, 1800821753775, 1800003600000, 0, '{"a":1}729', '{"a":1}863', '%_\109', 1);
INSERT INTO ledger (height, position, node, kind, lease_id, amount, denom, provider, block_ms) VALUES (81063884, 0, 'sentnode1a', 'lease_created', '336', '4401', 'udvpn', NULL, 1802018220553);
INSERT INTO ledger (height, position, node, kind, lease_id, amount, denom, provider, block_ms) VALUES (827306737, 1, 'sentnode1d', 'lease_created', '498', '13', NULL, 'sentprov1b', 1800943373416);
INSERT INTO ledger (height, position, node, kind, lease_id, amount, denom, provider, block_ms) VALUES (860657044, 3, 'sentnode1c', 'lease_paid', '182', '323577898863667199834224', 'udvpn', 'sentprov1b', 1801017354884);
INSERT INTO ledger (height, position, node, kind, lease_id, amount, denom, provider, block_ms) VALUES (1008317685, 2, 'sentnode1d', 'session_paid', '214', NULL, 'udvpn', 'sentprov1b', 1801937277290);
INSERT INTO ledger (height, position, node, kind, lease_id, amount, denom, provider, block_ms) VALUES (1540757306, 3, 'sentnode1d', 'lease_ended', '403', NULL, 'uother', 'sentprov1b', 1801885697837);
INSERT INTO ledger (height, position, node, kind, lease_id, amount, denom, provider, block_ms) VALUES (1599620022, 0, 'sentnode1c', 'node_inactive', NULL, NULL, 'uother', 'sentprov1b', 1801158237891);
INSERT INTO ledger_gaps (first, last, reason) VALUES (275493, 497102, '"quoted"786');
INSERT INTO ledger_gaps (first, last, reason) VALUES (314438, 449716, '"quoted"296');
INSERT INTO ledger_gaps (first, last, reason) VALUES (935798, 245245, '%_\471');
INSERT INTO facts (name, value) VALUES ('%_\849', 'plain476');
INSERT INTO facts (name, value) VALUES ('it''s352', 'it''s343');
INSERT INTO facts (name, value) VALUES ('plain67', '0975');
INSERT INTO facts (name, value) VALUES ('plain760', 'it''s752');
INSERT INTO outbox (seq, id, recipient, stream, thread_id, channel, notice, created_ms, attempts, last_failure, is_short, state, ended_ms) VALUES (1, 'notice 1577776333', '0596', 'ключ 🔑650', 'NULL687', 'email', '{"id":"notice 1577776333","threadId":"NULL687","kind":"firing","rule":"R","severity":"warning","title":"ключ 🔑445","text":"ключ 🔑692","atMs":1800000000000}', 1802060481116, 143651, 'two
lines321', 0, 'dead', 1800000000000);
INSERT INTO outbox (seq, id, recipient, stream, thread_id, channel, notice, created_ms, attempts, last_failure, is_short, state, ended_ms) VALUES (2, 'notice 3852020939', '993', 'ключ 🔑855', '"quoted"917', 'email', '{"id":"notice 3852020939","threadId":"\"quoted\"917","kind":"firing","rule":"R","severity":"warning","title":"439","text":"NULL19","atMs":1800000000000}', 1801171792948, 349175, '{"a":1}262', 1, 'dead', 1800000000000);
INSERT INTO outbox (seq, id, recipient, stream, thread_id, channel, notice, created_ms, attempts, last_failure, is_short, state, ended_ms) VALUES (3, 'notice 276411209', '{"a":1}59', 'ключ 🔑114', '0297', 'telegram', '{"id":"notice 276411209","threadId":"0297","kind":"firing","rule":"R","severity":"warning","title":"{\"a\":1}768","text":"plain510","atMs":1800000000000}', 1800836730924, 6532, 'ключ 🔑495', 0, 'dead', 1800000000000);
INSERT INTO outbox (seq, id, recipient, stream, thread_id, channel, notice, created_ms, attempts, last_failure, is_short, state, ended_ms) VALUES (4, 'notice 3826457864', 'plain684', '"quoted"525', '%_\357', 'email', '{"id":"notice 3826457864","threadId":"%_\\357","kind":"firing","rule":"R","severity":"warning","title":"0454","text":"0243","atMs":1800000000000}', 1801527108898, 104168, '0798', 0, 'delivered', 1800000000000);
PRAGMA user_version = 4;

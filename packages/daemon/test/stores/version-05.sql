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
    record TEXT,
    amount TEXT,
    denom TEXT,
    provider TEXT, block_ms INTEGER, account TEXT NOT NULL DEFAULT '', stakers TEXT, detail TEXT,
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
INSERT INTO heartbeats (node, at_ms) VALUES ('sentnode1c', 1801546407797);
INSERT INTO alerts (id, rule, subject, term, state, severity, since_ms, firing_ms, ended_ms, notified, title, text, group_id, owes_recovery) VALUES ('alert 1750465597', 'HubChainHalted', '%_\660', '465', 'pending', 'warning', 1801621988322, NULL, NULL, 1, 'it''s272', 'plain470', 'it''s80', 0);
INSERT INTO alerts (id, rule, subject, term, state, severity, since_ms, firing_ms, ended_ms, notified, title, text, group_id, owes_recovery) VALUES ('alert 4287608112', 'HubEndpointDown', 'it''s869', '%_\878', 'pending', 'critical', 1800299852020, NULL, NULL, 1, '932', '"quoted"350', 'it''s175', 0);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail) VALUES (668443851, 3, 'sentnode1b', 'node_active', '', NULL, NULL, 'sentprov1a', 1801598055042, 'sent1a', '43015651314882', '421');
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail) VALUES (716470175, 1, 'sentnode1d', 'lease_ended', '474', '77641372276485673', NULL, NULL, 1801381105161, 'sent1a', NULL, '{"a":1}19');
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail) VALUES (1419804213, 1, 'sentnode1d', 'lease_refunded', '395', NULL, NULL, 'sentprov1a', NULL, '', '2140110', 'it''s434');
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail) VALUES (1644574086, 0, 'sentnode1b', 'lease_ended', '265', NULL, 'udvpn', NULL, 1801258897422, '', '16533307389994956158096', NULL);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail) VALUES (2054036824, 2, 'sentnode1d', 'session_paid', '54', NULL, 'uother', NULL, 1800106363813, '', NULL, 'NULL846');
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail) VALUES (2059700677, 2, 'sentnode1a', 'node_active', '', NULL, 'udvpn', NULL, 1801476201124, 'sent1a', NULL, NULL);
INSERT INTO ledger_gaps (first, last, reason, is_open) VALUES (181675, 231678, '0203', 1);
INSERT INTO ledger_gaps (first, last, reason, is_open) VALUES (309728, 107823, 'two
lines985', 1);
INSERT INTO facts (name, value) VALUES ('765', 'two
lines556');
INSERT INTO facts (name, value) VALUES ('two
lines318', '{"a":1}860');
INSERT INTO facts (name, value) VALUES ('ключ 🔑5', 'two
lines921');
INSERT INTO outbox (seq, id, recipient, stream, thread_id, channel, notice, created_ms, attempts, last_failure, is_short, state, ended_ms) VALUES (1, 'notice 3740907375', 'it''s814', 'two
lines853', '0504', 'telegram', '{"id":"notice 3740907375","threadId":"0504","kind":"firing","rule":"R","severity":"warning","title":"NULL463","text":"761","atMs":1800000000000}', 1801093811036, 532512, 'two
lines4', 1, 'waiting', NULL);
INSERT INTO outbox (seq, id, recipient, stream, thread_id, channel, notice, created_ms, attempts, last_failure, is_short, state, ended_ms) VALUES (2, 'notice 1654705777', '{"a":1}59', 'ключ 🔑859', '0447', 'telegram', '{"id":"notice 1654705777","threadId":"0447","kind":"firing","rule":"R","severity":"warning","title":"two\nlines222","text":"it''s692","atMs":1800000000000}', 1800445079242, 597071, '{"a":1}552', 0, 'waiting', NULL);
PRAGMA user_version = 5;

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
  );
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
INSERT INTO heartbeats (node, at_ms) VALUES ('sentnode1a', 1800565338531);
INSERT INTO heartbeats (node, at_ms) VALUES ('sentnode1a', 1801532846750);
INSERT INTO heartbeats (node, at_ms) VALUES ('sentnode1b', 1801045243802);
INSERT INTO heartbeats (node, at_ms) VALUES ('sentnode1c', 1800418579463);
INSERT INTO alerts (id, rule, subject, term, state, severity, since_ms, firing_ms, ended_ms, notified, title, text) VALUES ('alert 2054322354', 'HubNodeInactive', '{"a":1}286', '{"a":1}526', 'pending', 'warning', 1801884104155, NULL, NULL, 1, 'plain367', '%_\1');
INSERT INTO alerts (id, rule, subject, term, state, severity, since_ms, firing_ms, ended_ms, notified, title, text) VALUES ('alert 4203934538', 'HubChainHalted', '%_\584', 'ключ 🔑70', 'firing', 'critical', 1800886879862, 1801066785308, NULL, 1, '{"a":1}372', '{"a":1}699');
INSERT INTO ledger (height, position, node, kind, lease_id, amount, denom, provider, block_ms) VALUES (221265777, 0, 'sentnode1b', 'lease_paid', '433', NULL, 'uother', 'sentprov1a', 1802124618585);
INSERT INTO ledger (height, position, node, kind, lease_id, amount, denom, provider, block_ms) VALUES (221604657, 1, 'sentnode1b', 'lease_created', '261', '3', NULL, 'sentprov1b', NULL);
INSERT INTO ledger (height, position, node, kind, lease_id, amount, denom, provider, block_ms) VALUES (996269326, 1, 'sentnode1b', 'lease_created', '447', NULL, NULL, 'sentprov1a', NULL);
INSERT INTO ledger (height, position, node, kind, lease_id, amount, denom, provider, block_ms) VALUES (1185360667, 2, 'sentnode1c', 'lease_refunded', '378', NULL, 'uother', 'sentprov1b', NULL);
INSERT INTO ledger (height, position, node, kind, lease_id, amount, denom, provider, block_ms) VALUES (1563767957, 1, 'sentnode1a', 'lease_created', '47', NULL, NULL, NULL, 1801450664458);
INSERT INTO ledger (height, position, node, kind, lease_id, amount, denom, provider, block_ms) VALUES (2040824716, 3, 'sentnode1c', 'node_active', NULL, NULL, 'uother', 'sentprov1b', 1801251568019);
INSERT INTO ledger_gaps (first, last, reason) VALUES (291036, 323640, 'it''s203');
INSERT INTO ledger_gaps (first, last, reason) VALUES (594701, 813246, '983');
INSERT INTO ledger_gaps (first, last, reason) VALUES (766899, 11310, 'plain377');
INSERT INTO ledger_gaps (first, last, reason) VALUES (985348, 310367, 'ключ 🔑164');
INSERT INTO facts (name, value) VALUES ('14', 'two
lines681');
INSERT INTO facts (name, value) VALUES ('NULL541', 'ключ 🔑871');
INSERT INTO outbox (seq, id, recipient, stream, thread_id, channel, notice, created_ms, attempts, last_failure, is_short, state, ended_ms) VALUES (1, 'notice 3527842059', '{"a":1}262', 'ключ 🔑959', 'ключ 🔑199', 'email', '{"id":"notice 3527842059","threadId":"ключ 🔑199","kind":"firing","rule":"R","severity":"warning","title":"%_\\382","text":"{\"a\":1}225","atMs":1800000000000}', 1801847936343, 177335, '{"a":1}316', 0, 'delivered', 1800000000000);
INSERT INTO outbox (seq, id, recipient, stream, thread_id, channel, notice, created_ms, attempts, last_failure, is_short, state, ended_ms) VALUES (2, 'notice 3630121868', '{"a":1}931', 'NULL852', '"quoted"214', 'email', '{"id":"notice 3630121868","threadId":"\"quoted\"214","kind":"firing","rule":"R","severity":"warning","title":"NULL855","text":"%_\\728","atMs":1800000000000}', 1802045878366, 261869, 'it''s860', 0, 'waiting', NULL);
INSERT INTO outbox (seq, id, recipient, stream, thread_id, channel, notice, created_ms, attempts, last_failure, is_short, state, ended_ms) VALUES (3, 'notice 3198179765', 'it''s584', 'ключ 🔑530', '{"a":1}62', 'telegram', '{"id":"notice 3198179765","threadId":"{\"a\":1}62","kind":"firing","rule":"R","severity":"warning","title":"ключ 🔑165","text":"358","atMs":1800000000000}', 1802007372225, 976263, 'NULL33', 0, 'delivered', 1800000000000);
PRAGMA user_version = 3;

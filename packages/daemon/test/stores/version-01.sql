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
CREATE TABLE outbox (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    alert_id TEXT NOT NULL,
    thread_id TEXT NOT NULL,
    channel TEXT NOT NULL,
    notice TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    last_failure TEXT,
    state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'delivered', 'dead')),
    ended_ms INTEGER
  );
CREATE INDEX outbox_waiting ON outbox (channel, seq) WHERE state = 'waiting';
CREATE INDEX outbox_thread ON outbox (alert_id, channel, seq);
CREATE TABLE ledger (
    height INTEGER NOT NULL,
    position INTEGER NOT NULL,
    node TEXT NOT NULL,
    kind TEXT NOT NULL,
    lease_id TEXT,
    amount TEXT,
    denom TEXT,
    provider TEXT,
    PRIMARY KEY (height, position)
  ) WITHOUT ROWID;
CREATE INDEX ledger_node ON ledger (node, height);
CREATE TABLE ledger_gaps (first INTEGER PRIMARY KEY, last INTEGER NOT NULL, reason TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
INSERT INTO heartbeats (node, at_ms) VALUES ('sentnode1b', 1800298357598);
INSERT INTO heartbeats (node, at_ms) VALUES ('sentnode1b', 1801316061432);
INSERT INTO heartbeats (node, at_ms) VALUES ('sentnode1c', 1800914391992);
INSERT INTO heartbeats (node, at_ms) VALUES ('sentnode1d', 1800977687301);
INSERT INTO alerts (id, rule, subject, term, state, severity, since_ms, firing_ms, ended_ms, notified, title, text) VALUES ('alert 3308902181', 'HubEndpointDown', '394', '%_\285', 'firing', 'warning', 1801267836750, 1800633228226, NULL, 1, 'ключ 🔑758', 'plain720');
INSERT INTO alerts (id, rule, subject, term, state, severity, since_ms, firing_ms, ended_ms, notified, title, text) VALUES ('alert 1298681497', 'HubChainHalted', 'plain323', 'two
lines249', 'firing', 'critical', 1800273183267, NULL, NULL, 1, 'NULL238', '0718');
INSERT INTO outbox (seq, id, alert_id, thread_id, channel, notice, created_ms, attempts, last_failure, state, ended_ms) VALUES (1, 'notice 700134711', '{"a":1}918', 'NULL933', 'email', '{"id":"notice 700134711","threadId":"NULL933","kind":"firing","rule":"R","severity":"warning","title":"two\nlines324","text":"{\"a\":1}509","atMs":1800000000000}', 1801892419565, 510058, '%_\166', 'delivered', 1800000000000);
INSERT INTO outbox (seq, id, alert_id, thread_id, channel, notice, created_ms, attempts, last_failure, state, ended_ms) VALUES (2, 'notice 2182575802', 'NULL854', 'it''s164', 'telegram', '{"id":"notice 2182575802","threadId":"it''s164","kind":"firing","rule":"R","severity":"warning","title":"it''s792","text":"it''s991","atMs":1800000000000}', 1801405692475, 549060, 'plain141', 'waiting', NULL);
INSERT INTO outbox (seq, id, alert_id, thread_id, channel, notice, created_ms, attempts, last_failure, state, ended_ms) VALUES (3, 'notice 3799054751', '182', '984', 'email', '{"id":"notice 3799054751","threadId":"984","kind":"firing","rule":"R","severity":"warning","title":"0861","text":"{\"a\":1}669","atMs":1800000000000}', 1800538177709, 869769, '%_\220', 'waiting', NULL);
INSERT INTO ledger (height, position, node, kind, lease_id, amount, denom, provider) VALUES (241193615, 1, 'sentnode1c', 'node_inactive', NULL, NULL, 'uother', NULL);
INSERT INTO ledger (height, position, node, kind, lease_id, amount, denom, provider) VALUES (630588622, 2, 'sentnode1a', 'lease_created', '36', NULL, 'udvpn', 'sentprov1a');
INSERT INTO ledger (height, position, node, kind, lease_id, amount, denom, provider) VALUES (921633735, 3, 'sentnode1b', 'lease_ended', '179', NULL, 'uother', NULL);
INSERT INTO ledger (height, position, node, kind, lease_id, amount, denom, provider) VALUES (1162114121, 2, 'sentnode1c', 'node_active', NULL, NULL, 'uother', NULL);
INSERT INTO ledger (height, position, node, kind, lease_id, amount, denom, provider) VALUES (1374685573, 2, 'sentnode1c', 'lease_paid', '33', NULL, NULL, 'sentprov1a');
INSERT INTO ledger (height, position, node, kind, lease_id, amount, denom, provider) VALUES (1763470921, 1, 'sentnode1b', 'lease_created', '262', '47', 'udvpn', NULL);
INSERT INTO ledger_gaps (first, last, reason) VALUES (83613, 684418, '"quoted"14');
INSERT INTO facts (name, value) VALUES ('%_\65', '"quoted"735');
INSERT INTO facts (name, value) VALUES ('it''s874', '%_\96');
INSERT INTO facts (name, value) VALUES ('ключ 🔑686', 'NULL496');
PRAGMA user_version = 1;

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
    provider TEXT, block_ms INTEGER,
    PRIMARY KEY (height, position)
  ) WITHOUT ROWID;
CREATE INDEX ledger_node ON ledger (node, height);
CREATE TABLE ledger_gaps (first INTEGER PRIMARY KEY, last INTEGER NOT NULL, reason TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
INSERT INTO heartbeats (node, at_ms) VALUES ('sentnode1a', 1800911017683);
INSERT INTO heartbeats (node, at_ms) VALUES ('sentnode1a', 1801687636509);
INSERT INTO heartbeats (node, at_ms) VALUES ('sentnode1b', 1801678449394);
INSERT INTO heartbeats (node, at_ms) VALUES ('sentnode1c', 1801072027216);
INSERT INTO alerts (id, rule, subject, term, state, severity, since_ms, firing_ms, ended_ms, notified, title, text) VALUES ('alert 248327010', 'HubChainHalted', '"quoted"971', '915', 'pending', 'warning', 1800015259082, NULL, NULL, 0, 'two
lines348', '521');
INSERT INTO alerts (id, rule, subject, term, state, severity, since_ms, firing_ms, ended_ms, notified, title, text) VALUES ('alert 142315838', 'HubNodeInactive', '072', '0527', 'firing', 'warning', 1801670680658, 1801776249078, NULL, 0, '%_\980', 'NULL641');
INSERT INTO alerts (id, rule, subject, term, state, severity, since_ms, firing_ms, ended_ms, notified, title, text) VALUES ('alert 881068133', 'HubEndpointDown', '"quoted"902', '0446', 'resolved', 'critical', 1800672913425, 1801716259832, 1800003600000, 0, 'it''s646', '{"a":1}713');
INSERT INTO alerts (id, rule, subject, term, state, severity, since_ms, firing_ms, ended_ms, notified, title, text) VALUES ('alert 1231110896', 'HubEndpointDown', '288', 'NULL167', 'firing', 'warning', 1800848754631, 1801021455824, NULL, 0, '%_\20', '%_\781');
INSERT INTO outbox (seq, id, alert_id, thread_id, channel, notice, created_ms, attempts, last_failure, state, ended_ms) VALUES (1, 'notice 2501627302', 'plain732', '0630', 'email', '{"id":"notice 2501627302","threadId":"0630","kind":"firing","rule":"R","severity":"warning","title":"ключ 🔑520","text":"\"quoted\"215","atMs":1800000000000}', 1801241577012, 516502, 'NULL425', 'waiting', NULL);
INSERT INTO outbox (seq, id, alert_id, thread_id, channel, notice, created_ms, attempts, last_failure, state, ended_ms) VALUES (2, 'notice 1841391142', 'ключ 🔑203', 'plain251', 'telegram', '{"id":"notice 1841391142","threadId":"plain251","kind":"firing","rule":"R","severity":"warning","title":"0538","text":"NULL144","atMs":1800000000000}', 1801754035722, 322443, '%_\911', 'waiting', NULL);
INSERT INTO ledger (height, position, node, kind, lease_id, amount, denom, provider, block_ms) VALUES (139509708, 2, 'sentnode1a', 'lease_ended', '173', NULL, 'uother', 'sentprov1a', 1801454845354);
INSERT INTO ledger (height, position, node, kind, lease_id, amount, denom, provider, block_ms) VALUES (154331095, 2, 'sentnode1d', 'session_paid', '404', '247474713', 'udvpn', 'sentprov1b', 1801568676301);
INSERT INTO ledger (height, position, node, kind, lease_id, amount, denom, provider, block_ms) VALUES (195176848, 3, 'sentnode1c', 'lease_paid', '129', '40989', 'uother', 'sentprov1b', NULL);
INSERT INTO ledger (height, position, node, kind, lease_id, amount, denom, provider, block_ms) VALUES (1197972748, 1, 'sentnode1d', 'session_paid', '383', '1', 'udvpn', NULL, NULL);
INSERT INTO ledger (height, position, node, kind, lease_id, amount, denom, provider, block_ms) VALUES (1369633611, 2, 'sentnode1a', 'session_paid', '342', '4127323650045831898154554', NULL, NULL, 1801781948602);
INSERT INTO ledger (height, position, node, kind, lease_id, amount, denom, provider, block_ms) VALUES (1464716507, 2, 'sentnode1a', 'lease_ended', '185', NULL, 'udvpn', NULL, NULL);
INSERT INTO ledger_gaps (first, last, reason) VALUES (95726, 781518, '%_\484');
INSERT INTO ledger_gaps (first, last, reason) VALUES (312334, 210678, 'plain461');
INSERT INTO ledger_gaps (first, last, reason) VALUES (355549, 665320, '88');
INSERT INTO ledger_gaps (first, last, reason) VALUES (372252, 255000, 'ключ 🔑668');
INSERT INTO facts (name, value) VALUES ('134', 'NULL255');
INSERT INTO facts (name, value) VALUES ('NULL806', '0124');
PRAGMA user_version = 2;

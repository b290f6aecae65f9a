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
INSERT INTO heartbeats (node, at_ms) VALUES ('sentnode1a', 1800009744940);
INSERT INTO heartbeats (node, at_ms) VALUES ('sentnode1a', 1802005741978);
INSERT INTO heartbeats (node, at_ms) VALUES ('sentnode1d', 1802084252367);
INSERT INTO alerts (id, rule, subject, term, state, severity, since_ms, firing_ms, ended_ms, notified, title, text, group_id, owes_recovery, fired_clock_ms, ended_clock_ms) VALUES ('alert 2483785701', 'HubEndpointDown', '%_\631', 'two
lines406', 'firing', 'critical', 1800577947409, 1801832636367, NULL, 1, '0944', 'it''s552', NULL, 0, NULL, 1800869596513);
INSERT INTO alerts (id, rule, subject, term, state, severity, since_ms, firing_ms, ended_ms, notified, title, text, group_id, owes_recovery, fired_clock_ms, ended_clock_ms) VALUES ('alert 1903781956', 'HubChainHalted', '%_\573', 'it''s852', 'pending', 'warning', 1800777677189, NULL, NULL, 0, '"quoted"263', '"quoted"90', '928', 0, NULL, 1801017841760);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail) VALUES (53462908, 1, 'sentnode1d', 'lease_ended', '88', '729458', 'uother', 'sentprov1a', 1802026982803, 'sent1a', '2750121469', 'plain897');
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail) VALUES (151868587, 0, 'sentnode1a', 'node_inactive', '', NULL, 'uother', 'sentprov1b', 1800615021220, 'sent1a', '2278072596924759', NULL);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail) VALUES (643847559, 2, 'sentnode1b', 'session_paid', '439', '4326578199025499981', NULL, 'sentprov1a', 1800320781010, 'sent1a', NULL, NULL);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail) VALUES (841049795, 3, 'sentnode1b', 'lease_ended', '388', '569986391917133184197', 'udvpn', 'sentprov1b', 1801978316396, '', '28752228', '{"a":1}518');
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail) VALUES (1680844993, 1, 'sentnode1c', 'lease_created', '227', '459350633317868', 'udvpn', 'sentprov1a', 1802040126283, '', '18518131632618539', NULL);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail) VALUES (2007708185, 1, 'sentnode1c', 'node_inactive', '', NULL, NULL, 'sentprov1a', 1801565827283, '', NULL, 'two
lines823');
INSERT INTO ledger_gaps (first, last, reason, is_open) VALUES (224857, 889790, 'plain123', 1);
INSERT INTO ledger_gaps (first, last, reason, is_open) VALUES (263180, 619351, '"quoted"302', 1);
INSERT INTO ledger_gaps (first, last, reason, is_open) VALUES (550989, 178710, '112', 1);
INSERT INTO ledger_gaps (first, last, reason, is_open) VALUES (986077, 627280, '{"a":1}16', 0);
INSERT INTO facts (name, value) VALUES ('NULL706', '"quoted"399');
INSERT INTO facts (name, value) VALUES ('plain567', 'two
lines875');
INSERT INTO facts (name, value) VALUES ('{"a":1}660', 'NULL673');
INSERT INTO outbox (seq, id, recipient, stream, thread_id, channel, notice, created_ms, attempts, last_failure, is_short, state, ended_ms) VALUES (1, 'notice 2558327801', '"quoted"945', '"quoted"940', '0681', 'telegram', '{"id":"notice 2558327801","threadId":"0681","kind":"firing","rule":"R","severity":"warning","title":"NULL69","text":"ключ 🔑490","atMs":1800000000000}', 1802123197785, 598555, 'plain313', 1, 'waiting', NULL);
INSERT INTO outbox (seq, id, recipient, stream, thread_id, channel, notice, created_ms, attempts, last_failure, is_short, state, ended_ms) VALUES (2, 'notice 2869361857', '{"a":1}798', 'it''s977', '0280', 'email', '{"id":"notice 2869361857","threadId":"0280","kind":"firing","rule":"R","severity":"warning","title":"it''s932","text":"{\"a\":1}480","atMs":1800000000000}', 1801380876124, 665944, NULL, 0, 'delivered', 1800000000000);
PRAGMA user_version = 6;

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
CREATE TABLE silences (
    id TEXT PRIMARY KEY,
    rule TEXT,
    subject TEXT,
    from_ms INTEGER NOT NULL,
    until_ms INTEGER NOT NULL,
    comment TEXT NOT NULL
  ) WITHOUT ROWID;
CREATE INDEX silences_until ON silences (until_ms);
INSERT INTO heartbeats (node, at_ms) VALUES ('sentnode1a', 1801188257686);
INSERT INTO heartbeats (node, at_ms) VALUES ('sentnode1b', 1801001226954);
INSERT INTO heartbeats (node, at_ms) VALUES ('sentnode1c', 1800553654701);
INSERT INTO alerts (id, rule, subject, term, state, severity, since_ms, firing_ms, ended_ms, notified, title, text, group_id, owes_recovery, fired_clock_ms, ended_clock_ms) VALUES ('alert 1533221781', 'HubNodeInactive', '"quoted"293', 'ключ 🔑296', 'pending', 'critical', 1800409722076, NULL, NULL, 0, 'ключ 🔑761', '912', '{"a":1}680', 0, 1801978272373, 1800085853119);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail) VALUES (1138144486, 3, 'sentnode1a', 'node_active', '', NULL, NULL, NULL, 1802110580778, 'sent1a', '486912915665', '%_\710');
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail) VALUES (1228916244, 3, 'sentnode1d', 'node_inactive', '', NULL, NULL, 'sentprov1a', 1800867665378, '', '24870602', NULL);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail) VALUES (1254146994, 3, 'sentnode1d', 'lease_created', '94', '3327', 'uother', NULL, 1800452408325, 'sent1a', '157215599869165', '0489');
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail) VALUES (1975422987, 0, 'sentnode1a', 'session_paid', '324', '1487691619627482436', NULL, NULL, 1800692406630, 'sent1a', '3', 'ключ 🔑826');
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail) VALUES (1988969350, 3, 'sentnode1d', 'lease_created', '481', '3676614477', 'udvpn', NULL, 1801572233573, '', NULL, NULL);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail) VALUES (2025929432, 3, 'sentnode1c', 'lease_ended', '7', '426368253', 'uother', 'sentprov1b', 1800923405371, 'sent1a', '10566387', NULL);
INSERT INTO ledger_gaps (first, last, reason, is_open) VALUES (282592, 538431, '"quoted"713', 1);
INSERT INTO ledger_gaps (first, last, reason, is_open) VALUES (559534, 551301, 'NULL953', 0);
INSERT INTO ledger_gaps (first, last, reason, is_open) VALUES (623729, 725523, '{"a":1}594', 0);
INSERT INTO ledger_gaps (first, last, reason, is_open) VALUES (831945, 482598, 'plain722', 0);
INSERT INTO facts (name, value) VALUES ('it''s523', '"quoted"910');
INSERT INTO outbox (seq, id, recipient, stream, thread_id, channel, notice, created_ms, attempts, last_failure, is_short, state, ended_ms) VALUES (1, 'notice 3090578126', 'it''s493', '0675', '%_\333', 'email', '{"id":"notice 3090578126","threadId":"%_\\333","kind":"firing","rule":"R","severity":"warning","title":"082","text":"381","atMs":1800000000000}', 1800359662264, 752623, NULL, 0, 'delivered', 1800000000000);
INSERT INTO outbox (seq, id, recipient, stream, thread_id, channel, notice, created_ms, attempts, last_failure, is_short, state, ended_ms) VALUES (2, 'notice 407050283', 'it''s497', 'plain482', 'two
lines544', 'email', '{"id":"notice 407050283","threadId":"two\nlines544","kind":"firing","rule":"R","severity":"warning","title":"0693","text":"it''s517","atMs":1800000000000}', 1801787717439, 36947, NULL, 1, 'waiting', NULL);
INSERT INTO outbox (seq, id, recipient, stream, thread_id, channel, notice, created_ms, attempts, last_failure, is_short, state, ended_ms) VALUES (3, 'notice 299577598', 'two
lines779', 'plain741', 'plain238', 'email', '{"id":"notice 299577598","threadId":"plain238","kind":"firing","rule":"R","severity":"warning","title":"920","text":"it''s155","atMs":1800000000000}', 1802019220184, 921081, 'ключ 🔑705', 0, 'dead', 1800000000000);
INSERT INTO outbox (seq, id, recipient, stream, thread_id, channel, notice, created_ms, attempts, last_failure, is_short, state, ended_ms) VALUES (4, 'notice 2231253572', '%_\823', 'NULL773', '%_\864', 'email', '{"id":"notice 2231253572","threadId":"%_\\864","kind":"firing","rule":"R","severity":"warning","title":"NULL124","text":"ключ 🔑540","atMs":1800000000000}', 1800866137027, 659878, 'it''s496', 1, 'delivered', 1800000000000);
INSERT INTO silences (id, rule, subject, from_ms, until_ms, comment) VALUES ('701', 'HubNodeInactive', NULL, 1801034978745, 1801427882895, '"quoted"535');
INSERT INTO silences (id, rule, subject, from_ms, until_ms, comment) VALUES ('two
lines224', 'HubNodeInactive', '0534', 1802028854060, 1800357550438, 'two
lines173');
INSERT INTO silences (id, rule, subject, from_ms, until_ms, comment) VALUES ('{"a":1}77', 'HubChainHalted', 'ключ 🔑695', 1800679351881, 1802095188953, '762');
PRAGMA user_version = 7;

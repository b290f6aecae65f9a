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
INSERT INTO heartbeats (node, at_ms) VALUES ('sentnode1a', 1801087953153);
INSERT INTO heartbeats (node, at_ms) VALUES ('sentnode1a', 1801104201547);
INSERT INTO heartbeats (node, at_ms) VALUES ('sentnode1b', 1801758272751);
INSERT INTO alerts (id, rule, subject, term, state, severity, since_ms, firing_ms, ended_ms, notified, title, text, group_id, owes_recovery, fired_clock_ms, ended_clock_ms) VALUES ('alert 447058543', 'HubNodeInactive', '0693', '127', 'pending', 'warning', 1801616450948, NULL, NULL, 1, '"quoted"518', 'plain860', '%_\899', 0, 1801620108587, 1800660963883);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail, hours) VALUES (141530944, 1, 'sentnode1b', 'lease_refunded', '144', '38908850380686', 'uother', 'sentprov1b', 1800443255113, 'sent1a', '4110572742015398464', 'it''s902', NULL);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail, hours) VALUES (216339047, 0, 'sentnode1b', 'lease_ended', '35', NULL, NULL, NULL, 1801616093610, '', '148027183002806', 'it''s101', 211092);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail, hours) VALUES (248391028, 0, 'sentnode1c', 'lease_created', '479', NULL, NULL, 'sentprov1b', NULL, '', '0', 'ключ 🔑651', 906829);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail, hours) VALUES (780693503, 1, 'sentnode1b', 'node_inactive', '', NULL, 'udvpn', NULL, 1800852048489, '', '2099052307728', 'two
lines739', 715522);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail, hours) VALUES (1302471417, 3, 'sentnode1c', 'node_active', '', NULL, 'udvpn', 'sentprov1b', NULL, '', NULL, 'NULL190', NULL);
INSERT INTO ledger (height, position, node, kind, record, amount, denom, provider, block_ms, account, stakers, detail, hours) VALUES (1760874427, 2, 'sentnode1d', 'lease_refunded', '292', '43289', 'uother', 'sentprov1a', 1800349252699, 'sent1a', '13694649663093278399', NULL, 559194);
INSERT INTO ledger_gaps (first, last, reason, is_open) VALUES (185390, 91114, 'it''s223', 0);
INSERT INTO facts (name, value) VALUES ('two
lines687', 'NULL444');
INSERT INTO facts (name, value) VALUES ('{"a":1}989', '"quoted"23');
INSERT INTO outbox (seq, id, recipient, stream, thread_id, channel, notice, created_ms, attempts, last_failure, is_short, state, ended_ms) VALUES (1, 'notice 619215047', 'plain80', '{"a":1}30', '{"a":1}812', 'telegram', '{"id":"notice 619215047","threadId":"{\"a\":1}812","kind":"firing","rule":"R","severity":"warning","title":"290","text":"plain394","atMs":1800000000000}', 1801674391927, 986698, 'it''s323', 1, 'dead', 1800000000000);
INSERT INTO outbox (seq, id, recipient, stream, thread_id, channel, notice, created_ms, attempts, last_failure, is_short, state, ended_ms) VALUES (2, 'notice 1928461801', '0425', 'two
lines713', 'ключ 🔑170', 'telegram', '{"id":"notice 1928461801","threadId":"ключ 🔑170","kind":"firing","rule":"R","severity":"warning","title":"936","text":"plain66","atMs":1800000000000}', 1801987090358, 40903, 'two
lines781', 0, 'waiting', NULL);
INSERT INTO outbox (seq, id, recipient, stream, thread_id, channel, notice, created_ms, attempts, last_failure, is_short, state, ended_ms) VALUES (3, 'notice 1337491646', 'two
lines262', '748', '{"a":1}18', 'telegram', '{"id":"notice 1337491646","threadId":"{\"a\":1}18","kind":"firing","rule":"R","severity":"warning","title":"it''s854","text":"0923","atMs":1800000000000}', 1800235779390, 398430, '%_\242', 1, 'dead', 1800000000000);
INSERT INTO outbox (seq, id, recipient, stream, thread_id, channel, notice, created_ms, attempts, last_failure, is_short, state, ended_ms) VALUES (4, 'notice 2484204766', 'NULL447', '{"a":1}686', 'it''s99', 'email', '{"id":"notice 2484204766","threadId":"it''s99","kind":"firing","rule":"R","severity":"warning","title":"{\"a\":1}480","text":"85","atMs":1800000000000}', 1800984259121, 788502, 'two
lines114', 0, 'waiting', NULL);
INSERT INTO silences (id, rule, subject, from_ms, until_ms, comment) VALUES ('it''s253', 'HubChainHalted', 'ключ 🔑831', 1801823573951, 1800130192537, '%_\125');
PRAGMA user_version = 8;

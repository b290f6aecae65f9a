import { expect, test } from 'vitest';
import { parseConfig } from './load.js';
import { ConfigError } from './problem.js';
import { sweepEndpoints } from './sweep-endpoints.js';
import { decodeText } from './yaml-text.js';

const problemsOf = (text: string): string[] => {
  try {
    parseConfig(text, 'f.yml');
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split('\n');
    throw error;
  }
  return [];
};

const minimal = 'endpoints:\n  - name: own\n    grpc: 127.0.0.1:9090\n';

test('config: the smallest file gets its defaults', () => {
  const config = parseConfig(minimal);
  expect(config.endpoints[0]).toEqual({
    name: 'own',
    role: 'reference',
    grpc: '127.0.0.1:9090',
    websocket: true,
    naming: 'auto',
    require: { state_depths: [], block_depths: [], tx_depths: [] },
  });
  expect(config.poll).toMatchObject({ endpoints: 10_000, nodes: 30_000, timeout: 5_000 });
  expect(config.web.listen).toEqual({ host: '127.0.0.1', port: 9190 });
});

test('config: an account address is accepted for the node address of the same key', () => {
  const config = parseConfig(
    `${minimal}watch:\n  nodes:\n    - address: sent1epgstxds9xwdh405m3034p64ht9agptylqwxgj\n`,
  );
  expect(config.watch.nodes[0]?.address).toBe('sentnode1epgstxds9xwdh405m3034p64ht9agptyfk0ldy');
});

test('config: a watched account is an account address, and listed once', () => {
  const accounts = (...addresses: readonly string[]): string =>
    `${minimal}watch:\n  accounts:\n${addresses.map((address) => `    - {address: ${address}, alias: fees}\n`).join('')}`;
  const account = 'sent1epgstxds9xwdh405m3034p64ht9agptylqwxgj';
  expect(parseConfig(accounts(account)).watch).toMatchObject({
    nodes: [],
    providers: [],
    accounts: [{ address: account, alias: 'fees' }],
  });
  expect(problemsOf(accounts(account, account))[0]).toContain('is the same as watch.accounts[0].address');
  expect(problemsOf(accounts('sentnode1epgstxds9xwdh405m3034p64ht9agptyfk0ldy'))[0]).toMatch(
    /watch\.accounts\[0\]\.address: address "sentnode1\w+" begins with sentnode1; expected sent1…$/,
  );
});

test('config: all problems are reported at once, with place, allowed values and the nearest key', () => {
  const problems = problemsOf(
    [
      'endpiont: []',
      'endpoints:',
      '  - name: own',
      '    role: onw',
      '    rest: 127.0.0.1:1317',
      'poll:',
      '  nodes: 30',
      '  endpoints: 1ms',
      'watch:',
      '  nodes:',
      '    - adress: x',
      'web: { listen: "localhost" }',
    ].join('\n'),
  );
  expect(problems).toEqual([
    'f.yml:1:1: unknown key `endpiont`; did you mean `endpoints`? Allowed: network, endpoints, watch, poll, sweeps, maintenance, alerts, notifiers, alive, web, store, log',
    'f.yml:4:11: endpoints[0].role: must be one of own, reference, archive (got "onw"); did you mean own?',
    'f.yml:5:11: endpoints[0].rest: expected an http:// or https:// URL, such as http://127.0.0.1:1317 (got "127.0.0.1:1317")',
    'f.yml:7:10: poll.nodes: expected a duration: a whole number and one of ms, s, m, h, d, such as 10s (got 30)',
    'f.yml:8:14: poll.endpoints: must be 100ms to 10m (got "1ms")',
    'f.yml:11:7: watch.nodes[0].address: is missing',
    'f.yml:11:7: watch.nodes[0]: unknown key `adress`; did you mean `address`? Allowed: address, alias',
    'f.yml:12:16: web.listen: expected host:port, such as 127.0.0.1:9090 or [::1]:9090, without a scheme or path (got a text of 9 characters)',
  ]);
});

test('config: problems from later stages or from several keys together are in the same list', () => {
  const text = [
    'endpoints:',
    '  - {name: a, grpc: "h:1"}',
    '  - {name: a, rest: foo}',
    '  - name: c',
    'watch:',
    '  nodes:',
    '    - address: sentnode1epgstxds9xwdh405m3034p64ht9agptyfk0ldy',
    '    - address: sent1epgstxds9xwdh405m3034p64ht9agptylqwxgj',
    'notifiers:',
    '  email: {host: "", user: u, from: a@b.c, to: [], tls: strattls}',
    'store: {path: ""}',
    'web:',
  ].join('\n');
  const rule = { path: ['alerts', 'rules', 'X'], message: 'unknown rule `X`' };
  expect(() => parseConfig(text, 'f.yml', () => [rule])).toThrow(
    [
      'f.yml:1:1: alerts.rules.X: unknown rule `X`',
      'f.yml:3:12: endpoints[1].name: is the same as endpoints[0].name',
      'f.yml:3:21: endpoints[1].rest: expected an http:// or https:// URL, such as http://127.0.0.1:1317 (got a text of 3 characters)',
      'f.yml:4:5: endpoints[2]: an endpoint needs at least one of grpc, rest, rpc',
      'f.yml:8:16: watch.nodes[1].address: is the same as watch.nodes[0].address',
      'f.yml:10:10: notifiers.email: user needs one of password_file and password_env, and a password needs a user',
      'f.yml:10:17: notifiers.email.host: is empty; expected the name of a mail server, such as smtp.example.org',
      'f.yml:10:47: notifiers.email.to: is empty; expected a mail address or a list of them',
      'f.yml:10:56: notifiers.email.tls: must be one of starttls, implicit, none (got "strattls"); did you mean starttls?',
      'f.yml:11:15: store.path: is empty; expected the path of a file, such as hubwatch.db',
      'f.yml:12:5: web: is empty; expected a mapping, or no such key',
    ].join('\n'),
  );
});

test('config: a repeated recipient gets one mail', () => {
  const config = parseConfig(`${minimal}notifiers: {email: {host: h, from: a@b.c, to: [x@y.z, x@y.z]}}`);
  expect(config.notifiers.email?.to).toEqual(['x@y.z']);
});

test.each([
  ['no endpoint', 'log: {level: info}', 'f.yml:1:1: endpoints: is missing'],
  ['an empty file', '', 'f.yml:1:1: endpoints: is missing'],
  [
    'an endpoint without address',
    'endpoints: [{name: a}]',
    'endpoints[0]: an endpoint needs at least one of grpc, rest, rpc',
  ],
  [
    'two endpoints of one name',
    'endpoints: [{name: a, grpc: "h:1"}, {name: a, grpc: "h:2"}]',
    'endpoints[1].name: is the same as endpoints[0].name',
  ],
  [
    'a mistyped address',
    `${minimal}watch: {nodes: [{address: sentnode1epgstxds9xwdh405m3034p64ht9agptyfk0ldx}]}`,
    'the checksum is wrong; look for a typing error; expected sentnode1… or sent1…',
  ],
  [
    'a provider as a node',
    `${minimal}watch: {nodes: [{address: sentprov1dlkarvkp62u80e0w082ww9ynehv3axt2ny8svk}]}`,
    'begins with sentprov1; expected sentnode1… or sent1…',
  ],
  ['broken YAML', 'endpoints: [', 'f.yml:1:13: '],
  [
    'a user without a password',
    `${minimal}notifiers: {email: {host: h, from: a@b.c, to: d@e.f, user: u}}`,
    'user needs one of password_file and password_env',
  ],
  [
    'a mail address with a line break',
    `${minimal}notifiers: {email: {host: h, from: "a@b.c\\nBcc: x@y.z", to: d@e.f}}`,
    'expected one mail address',
  ],
  [
    'a maintenance window of no zone',
    `${minimal}maintenance: [{name: a, from: "02:00", to: "03:00", zone: Europe/Berlinn}]`,
    'expected a time zone that this machine knows',
  ],
  [
    'a time of day without quotes',
    `${minimal}maintenance: [{name: a, from: 2, to: "03:00"}]`,
    'expected a time of day, such as 02:30',
  ],
  [
    'a bot without a token',
    `${minimal}notifiers: {telegram: {chats: [1]}}`,
    'one of token_file and token_env is required',
  ],
  [
    'a chat that is none',
    `${minimal}notifiers: {telegram: {token_env: T, chats: my chat}}`,
    'expected the number of a chat, such as -1001234567890, or the @name of a channel',
  ],
  [
    'a webhook without an address',
    `${minimal}notifiers: {webhooks: [{name: a}]}`,
    'one of url, url_file and url_env is needed',
  ],
  [
    'two webhooks of one name',
    `${minimal}notifiers: {webhooks: [{name: a, url: "http://h"}, {name: a, url: "http://i"}]}`,
    'notifiers.webhooks[1].name: is the same as notifiers.webhooks[0].name',
  ],
  [
    'an Alertmanager label that is none',
    `${minimal}notifiers: {alertmanager: {urls: "http://h", labels: {a-b: c}}}`,
    'expected a label name: letters, digits and underscores',
  ],
  [
    'a port out of range',
    `${minimal}notifiers: {email: {host: h, port: 99999, from: a@b.c, to: d@e.f}}`,
    'port: must be at most 65535 (got 99999)',
  ],
])('config: %s is rejected', (_case, text, message) => {
  expect(problemsOf(text).join('\n')).toContain(message);
});

test('config: sweeps have an interval or a schedule in a zone, not both', () => {
  const text = 'endpoints: [{name: a, role: own, grpc: "h:1"}]\n';
  expect(parseConfig(text).sweeps).toMatchObject({ every: 900_000, zone: 'UTC' });
  const { cron, zone } = parseConfig(`${text}sweeps: {cron: "30 3 * * *", zone: Europe/Berlin}`).sweeps;
  expect([cron, zone]).toEqual(['30 3 * * *', 'Europe/Berlin']);
  expect(() => parseConfig(`${text}sweeps: {cron: "30 3 * * *", every: 1h}`, 'f.yml')).toThrow(
    'f.yml:2:16: sweeps.cron: lists are swept by `every` or by `cron`; leave one of them out',
  );
  expect(() => parseConfig(`${text}sweeps: {cron: "30 25 * * *"}`, 'f.yml')).toThrow(
    'f.yml:2:16: sweeps.cron: expected a cron expression of five fields',
  );
  expect(() => parseConfig(`${text}sweeps: {cron: "0 3 * * *", zone: Mars}`, 'f.yml')).toThrow(
    'sweeps.zone: expected a time zone that this machine knows',
  );
});

test('config: sweeps may only query configured endpoints, and by default the own ones', () => {
  const text = 'endpoints: [{name: a, role: own, grpc: "h:1"}, {name: b, grpc: "h:2"}]\n';
  expect(sweepEndpoints(parseConfig(text))).toEqual(['a']);
  expect(sweepEndpoints(parseConfig(`${text}sweeps: {endpoints: [b]}`))).toEqual(['b']);
  expect(sweepEndpoints(parseConfig(`${text}sweeps: {enabled: false}`))).toEqual([]);
  expect(() => parseConfig(`${text}sweeps: {endpoints: [b, c]}`, 'f.yml')).toThrow(
    'f.yml:2:25: sweeps.endpoints[1]: no endpoint has this name. Allowed: a, b',
  );
});

test.each([
  ['an alias without an anchor', 'endpoints: *none', 'f.yml:1:12: no anchor of this name comes before the alias'],
  ['an alias in its own anchor', 'endpoints: &a [*a]', 'f.yml:1:16: the alias refers to a value that it is part of'],
  ['two documents', `${minimal}---\nlog: {}\n`, 'f.yml:4:1: a second document begins here'],
  ['a number that is too large', `${minimal}web: {listen: 1e309}`, 'f.yml:4:15: is not a number that can be used'],
  ['a key twice', `${minimal}log: {}\nlog: {}\n`, 'f.yml:5:1: is a key that this mapping already has'],
  ['a tag', `${minimal}log: !secret x`, 'f.yml:4:6: is a YAML tag that a configuration does not have'],
  ['brackets in brackets', `a: ${'['.repeat(50_000)}`, 'f.yml:1:'],
  ['mappings in mappings', Array.from({ length: 60 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n'), 'f.yml:33:'],
  ['an own member of every object', `${minimal}__proto__: {}\nconstructor: 1\n`, 'f.yml:4:1: unknown key `__proto__`'],
  [
    'a user in a URL',
    'endpoints: [{name: a, rest: "http://u:p@h"}]',
    'f.yml:1:29: endpoints[0].rest: a URL with a user',
  ],
  [
    'a key in a query',
    'endpoints: [{name: a, rpc: "http://h/?k=v"}]',
    'f.yml:1:28: endpoints[0].rpc: a URL with a query',
  ],
  ['a user before a gRPC host', 'endpoints: [{name: a, grpc: "u@h:1"}]', 'without a user or path'],
  [
    'a username without a password',
    'endpoints: [{name: a, grpc: "h:1", username: u}]',
    'username needs exactly one of',
  ],
  ['a store that is a URL', `${minimal}store: {path: "file:x.db"}`, 'f.yml:4:15: store.path: is a URL'],
  ['a store that is a folder', `${minimal}store: {path: "/"}`, 'f.yml:4:15: store.path: is a folder'],
  [
    'a window without length',
    `${minimal}maintenance: [{name: a, from: "02:00", to: "02:00"}]`,
    'f.yml:4:15: maintenance[0]: from and to are the same; a window lasts 1 min to 23 h 59 min',
  ],
  [
    'a window for an endpoint with a typing error',
    `${minimal}maintenance: [{name: a, from: "02:00", to: "03:00", subjects: [owm]}]`,
    'f.yml:4:64: maintenance[0].subjects[0]: nothing is watched under "owm"; did you mean own? Allowed: own, and addresses',
  ],
  ['a host with a port', `${minimal}web: {hosts: "h:1"}`, 'web.hosts[0]: expected a host name'],
])('config: %s is rejected with its place', (_case, text, message) => {
  expect(problemsOf(text).join('\n')).toContain(message);
});

test('config: names suggested for an unknown subject are shown without control characters and secrets', () => {
  const window = 'maintenance: [{name: a, from: "02:00", to: "03:00", subjects: [owm]}]';
  const named = (name: string): string => `endpoints: [{name: ${JSON.stringify(name)}, grpc: "h:1"}]\n${window}`;
  expect(problemsOf(named('\u001b[2Jx\u202ey')).join('\n')).toContain('Allowed:  [2Jx y, and addresses');
  const hidden = problemsOf(named('Zx92PasswordOfMail')).join('\n');
  expect(hidden).toContain('Allowed: (a key of 18 characters), and addresses');
  expect(hidden).not.toContain('Zx92');
});

test.each([
  'extra@pager.test, <ops@corp.test>',
  'extra@pager.test; Ops <ops@corp.test>',
  'Group: a@pager.test, b <ops@corp.test>',
  '"extra@pager.test" <ops@corp.test>',
  'ops@corp.test (extra@pager.test)',
  'a@b.c\u0000',
  '<a@b.c> <d@e.f>',
  'undisclosed:;',
  '',
])('config: %j is not one recipient', (to) => {
  expect(problemsOf(`${minimal}notifiers: {email: {host: h, from: a@b.c, to: ${JSON.stringify(to)}}}`).join()).toMatch(
    /notifiers\.email\.to(\[0\])?: (expected one mail address|is empty)/,
  );
});

test('config: an alias of a watched node is accepted for its address in a maintenance window', () => {
  const address = 'sentnode1epgstxds9xwdh405m3034p64ht9agptyfk0ldy';
  const config = parseConfig(
    `${minimal}watch: {nodes: [{address: ${address}, alias: five}]}\nmaintenance: [{name: a, from: "02:00", to: "03:00", subjects: [five, own, lease-3]}]`,
  );
  expect(config.maintenance[0]?.subjects).toEqual([address, 'own', 'lease-3']);
});

test('config: a problem in a value behind a YAML alias is located at the anchor', () => {
  expect(problemsOf('endpoints: [&a {name: own, grpc: "h:1"}, {name: b, grpc: 7}]\nwatch: *a')).toEqual([
    'f.yml:1:17: watch: unknown key `name`. Allowed: nodes, providers, accounts, session_stale_share, reach',
    'f.yml:1:28: watch: unknown key `grpc`. Allowed: nodes, providers, accounts, session_stale_share, reach',
    'f.yml:1:58: endpoints[1].grpc: expected host:port, such as 127.0.0.1:9090, or https://host:port (got 7)',
  ]);
});

test.each([
  ['UTF-16', Buffer.from('\ufeffendpoints: []', 'utf16le'), 'f.yml:1:1: is UTF-16 text; save it as UTF-8'],
  ['UTF-16 without a mark', Buffer.from('log: {}', 'utf16le'), 'f.yml:1:1: is UTF-16 text; save it as UTF-8'],
  ['a byte that is not UTF-8', Buffer.from([0x61, 0x0a, 0x62, 0xff]), 'f.yml:2:2: is not UTF-8 text'],
  ['nine megabytes', Buffer.alloc(9 * 1024 * 1024, 0x20), 'f.yml:1:1: is larger than 8 MiB'],
])('config: %s gets a plain sentence', (_case, bytes, message) => {
  expect(() => decodeText(bytes, 'f.yml')).toThrow(message);
});

test('config: fifty thousand problems are counted, a hundred are listed', () => {
  const rows = Array.from({ length: 50_000 }, (_, index) => `x${index}: 1`);
  const lines = problemsOf(rows.join('\n'));
  expect(lines).toHaveLength(101);
  expect(lines.at(-1)).toBe('f.yml: 49901 more problems');
});

test('config: an alias bomb is rejected before its values are created', () => {
  const rows = ['a0: &a0 [x, x, x, x, x, x, x, x, x]'];
  for (let level = 1; level < 12; level++)
    rows.push(
      `a${level}: &a${level} [${Array(9)
        .fill(`*a${level - 1}`)
        .join(', ')}]`,
    );
  expect(problemsOf(rows.join('\n'))[0]).toMatch(/^f\.yml:7:\d+: aliases make more than 1000000 values of this file$/);
});

const secret = 'Sk3cr3tT0kenOfTheOperator';

test.each([
  `endpoints: [{name: own, rest: "htp://u:${secret}@h/${secret}"}]`,
  `endpoints: [{name: own, rest: "http://u:${secret}@h"}]`,
  `endpoints: [{name: own, rpc: "http://h/?apikey=${secret}"}]`,
  `endpoints: [{name: own, grpc: "${secret}@h:1"}]`,
  `endpoints: [{name: own, role: ${secret}, naming: "${secret}"}]`,
  `endpoints: [{name: "@${secret}"}]`,
  `endpoints: ${secret}`,
  `notifiers: {telegram: {token: ${secret}, chats: ${secret}}}`,
  `notifiers: {webhooks: [{name: a, url: "${secret}"}]}`,
  `notifiers: {email: {to: "${secret}", from: ${secret}, port: ${secret}}}`,
  `${secret}: 1`,
  `alerts: {rules: {${secret}: {enabled: ${secret}}}}`,
  `poll: {nodes: ${secret}}`,
  `sweeps: {cron: "${secret}", zone: ${secret}, endpoints: [${secret}]}`,
  `watch: {nodes: [{address: ${secret}}], accounts: [{address: "sent1${secret}", minimum: {${secret}: ${secret}}}]}`,
  `maintenance: [{subjects: [${secret}], rules: [${secret}], days: ${secret}}]`,
  `log: *${secret}`,
  `log: !${secret} x`,
  `log: "\\${secret}`,
  `%${secret}\n---\nlog: {}`,
])('config: %s: the secret is not repeated', (text) => {
  const problems = problemsOf(text);
  expect(problems.length).toBeGreaterThan(0);
  for (const problem of problems) expect(problem).toMatch(/^f\.yml:\d+:\d+: /);
  expect(problems.join('\n')).not.toContain(secret);
});

import { expect, test } from 'vitest';
import { parseConfig } from './load.js';
import { ConfigError } from './problem.js';
import { sweepEndpoints } from './sweep-endpoints.js';

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

test('config: an account address stands for the node address of the same key', () => {
  const config = parseConfig(
    `${minimal}watch:\n  nodes:\n    - address: sent1epgstxds9xwdh405m3034p64ht9agptylqwxgj\n`,
  );
  expect(config.watch.nodes[0]?.address).toBe('sentnode1epgstxds9xwdh405m3034p64ht9agptyfk0ldy');
});

test('config: a watched account is an account address, once', () => {
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

test('config: every problem is named at once, with place, what is allowed and the nearest key', () => {
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
    'f.yml:4:11: endpoints[0].role: allowed is one of own, reference, archive, not "onw"; did you mean own?',
    'f.yml:5:11: endpoints[0].rest: expected an http:// or https:// URL, such as http://127.0.0.1:1317, not "127.0.0.1:1317"',
    'f.yml:7:10: poll.nodes: expected a duration: a whole number and one of ms, s, m, h, d (such as 10s), not 30',
    'f.yml:8:14: poll.endpoints: allowed is 100ms to 10m, not "1ms"',
    'f.yml:11:7: watch.nodes[0].address: is missing',
    'f.yml:11:7: watch.nodes[0]: unknown key `adress`; did you mean `address`? Allowed: address, alias',
    'f.yml:12:16: web.listen: expected host:port, such as 127.0.0.1:9090 or [::1]:9090, without a scheme or path, not "localhost"',
  ]);
});

test('config: what a later stage or several keys together make wrong stands in the same list', () => {
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
      'f.yml:3:21: endpoints[1].rest: expected an http:// or https:// URL, such as http://127.0.0.1:1317, not "foo"',
      'f.yml:4:5: endpoints[2]: an endpoint needs at least one of grpc, rest, rpc',
      'f.yml:8:16: watch.nodes[1].address: is the same as watch.nodes[0].address',
      'f.yml:10:10: notifiers.email: user needs one of password_file and password_env, and a password needs a user',
      'f.yml:10:17: notifiers.email.host: is empty; expected the name of a mail server, such as smtp.example.org',
      'f.yml:10:47: notifiers.email.to: is empty; expected a mail address or a list of them',
      'f.yml:10:56: notifiers.email.tls: allowed is one of starttls, implicit, none, not "strattls"; did you mean starttls?',
      'f.yml:11:15: store.path: is empty; expected the path of a file, such as hubwatch.db',
      'f.yml:12:5: web: is empty; expected a block of keys, or no such key',
    ].join('\n'),
  );
});

test('config: a recipient that is named twice gets one mail', () => {
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
    'expected a mail address',
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
    'one of token_file and token_env is needed, which say where the token stands',
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
    'port: allowed is 65535 or less, not 99999',
  ],
])('config: %s is refused', (_case, text, message) => {
  expect(problemsOf(text).join('\n')).toContain(message);
});

test('config: sweeps have an interval or a timetable in a zone, not both', () => {
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

test('config: sweeps may ask endpoints of the file alone, and their own by default', () => {
  const text = 'endpoints: [{name: a, role: own, grpc: "h:1"}, {name: b, grpc: "h:2"}]\n';
  expect(sweepEndpoints(parseConfig(text))).toEqual(['a']);
  expect(sweepEndpoints(parseConfig(`${text}sweeps: {endpoints: [b]}`))).toEqual(['b']);
  expect(sweepEndpoints(parseConfig(`${text}sweeps: {enabled: false}`))).toEqual([]);
  expect(() => parseConfig(`${text}sweeps: {endpoints: [b, c]}`, 'f.yml')).toThrow(
    'f.yml:2:25: sweeps.endpoints[1]: no endpoint has this name. Allowed: a, b',
  );
});

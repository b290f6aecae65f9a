import { expect, test } from 'vitest';
import { parseConfig } from './load.js';
import { ConfigError } from './problem.js';

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
  expect(config.endpoints[0]).toEqual({ name: 'own', role: 'reference', grpc: '127.0.0.1:9090', naming: 'auto' });
  expect(config.poll).toMatchObject({ endpoints: 10_000, nodes: 30_000, timeout: 5_000 });
  expect(config.web.listen).toEqual({ host: '127.0.0.1', port: 9190 });
});

test('config: an account address stands for the node address of the same key', () => {
  const config = parseConfig(
    `${minimal}watch:\n  nodes:\n    - address: sent1epgstxds9xwdh405m3034p64ht9agptylqwxgj\n`,
  );
  expect(config.watch.nodes[0]?.address).toBe('sentnode1epgstxds9xwdh405m3034p64ht9agptyfk0ldy');
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
    'f.yml:1:1: unknown key `endpiont`; did you mean `endpoints`? Allowed: network, endpoints, watch, poll, alerts, notifiers, web, store, log',
    'f.yml:4:11: endpoints[0].role: allowed is one of own, reference, archive, not "onw"',
    'f.yml:5:11: endpoints[0].rest: expected an http:// or https:// URL, such as http://127.0.0.1:1317, not "127.0.0.1:1317"',
    'f.yml:7:10: poll.nodes: expected a duration: a whole number and one of ms, s, m, h, d (such as 10s), not 30',
    'f.yml:8:14: poll.endpoints: allowed is 100ms to 10m, not "1ms"',
    'f.yml:11:7: watch.nodes[0].address: is missing',
    'f.yml:11:7: watch.nodes[0]: unknown key `adress`; did you mean `address`? Allowed: address, alias',
    'f.yml:12:16: web.listen: expected host:port, such as 127.0.0.1:9090 or [::1]:9090, without a scheme or path, not "localhost"',
  ]);
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
    'has a wrong checksum (a typing error?); expected sentnode1… or sent1…',
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
    'a port out of range',
    `${minimal}notifiers: {email: {host: h, port: 99999, from: a@b.c, to: d@e.f}}`,
    'port: allowed is 65535 or less, not 99999',
  ],
])('config: %s is refused', (_case, text, message) => {
  expect(problemsOf(text).join('\n')).toContain(message);
});

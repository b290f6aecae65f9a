import { get } from 'node:http';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { testConfig } from '../../test/parts.js';
import { createOwnMetrics } from '../own-metrics.js';
import { allowedHosts } from './allowed-hosts.js';
import { startWebServer, textResponse } from './server.js';

const config = testConfig();
const allows = allowedHosts(
  {
    alerts: { ...config.alerts, external_url: 'https://Monitor.example.org:8443/hub' },
    web: { ...config.web, hosts: ['proxy.example.org', 'b\u00fccher.example'] },
  },
  'box.lan.example',
);

test.each([
  '127.0.0.1',
  '127.0.0.1:9190',
  '10.1.2.3:80',
  '[::1]:9190',
  '[fe80::1]',
  'localhost',
  'LOCALHOST:9190',
  'hub.localhost',
  'box.lan.example:9190',
  'box',
  'box.lan.example.local',
  'monitor.example.org:8443',
  'MONITOR.EXAMPLE.ORG.',
  'proxy.example.org',
  'xn--bcher-kva.example',
  undefined,
])('host: %s is allowed', (header) => {
  expect(allows(header)).toBe(true);
});

test.each([
  'evil.example',
  'evil.example:9190',
  'localhost.evil.example',
  'notlocalhost',
  'evil-proxy.example.org',
  'proxy.example.org.evil.example',
  '127.0.0.1.evil.example',
  '127.0.0.1@evil.example',
  '',
  ':9190',
  '[evil]',
  'a b',
])('host: %j is not allowed', (header) => {
  expect(allows(header)).toBe(false);
});

test('host: an unknown host name gets 421 on every path, with the configuration key that allows it', async () => {
  const routes = { '/metrics': { name: 'metrics', answer: () => textResponse(200, 'x') } };
  const server = await startWebServer(
    { host: '127.0.0.1', port: 0 },
    routes,
    createOwnMetrics(),
    pino({ level: 'silent' }),
    allows,
  );
  onTestFinished(() => server.close());
  const ask = async (path: string, host: string): Promise<readonly [number | undefined, string]> => {
    const [response] = (await once(get(`${server.url}${path}`, { headers: { host } }), 'response')) as [
      IncomingMessage,
    ];
    let body = '';
    for await (const chunk of response.setEncoding('utf8')) body += chunk as string;
    return [response.statusCode, body];
  };
  expect(await ask('/metrics', 'localhost')).toEqual([200, 'x']);
  for (const path of ['/metrics', '/', '/none'])
    expect(await ask(path, 'evil.example')).toEqual([421, expect.stringContaining('web.hosts')]);
});

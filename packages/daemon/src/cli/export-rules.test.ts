import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/parts.js';
import { docsUrl } from '../prometheus/index.js';
import { main } from './main.js';

const run = async (...args: string[]): Promise<{ code: number; out: string; error: string }> => {
  let out = '';
  let error = '';
  const code = await main(args, { out: (text) => (out += text), error: (text) => (error += text) });
  return { code, out, error };
};

const docs = ['--docs', 'https://docs.example.org/'];

test('export-rules: prints the default rules, with links to the given documentation', async () => {
  const { code, out, error } = await run('export-rules', ...docs);
  expect([code, error]).toEqual([0, '']);
  expect(out).toMatch(/^# Alerts and recordings of hubwatch[^]*\ngroups:\n/);
  expect(out).toContain('runbook_url: https://docs.example.org/alerts.md#hubnodeinactive\n');
  const alerts = out.match(/^ {6}- alert: /gm)?.length;
  expect(out.match(/^ {10}runbook_url: /gm)?.length).toBe(alerts);
});

test('export-rules: prints another file by name, and rejects an unknown name', async () => {
  expect((await run('export-rules', ...docs, '--file', 'alertmanager.yml')).out).toContain('\ninhibit_rules:\n');
  expect((await run('export-rules', ...docs, '--file', 'prometheus.yml')).out).toContain('\nscrape_configs:\n');
  expect(await run('export-rules', '--file', 'other.yml')).toMatchObject({
    code: 2,
    error: expect.stringContaining('Allowed choices are rules.yml, alertmanager.yml, prometheus.yml') as string,
  });
});

test('export-rules: writes all files into a folder, with the settings from a configuration', async () => {
  const folder = temporaryFolder();
  const config = join(folder, 'hubwatch.yml');
  writeFileSync(
    config,
    'endpoints: [{name: own, grpc: "127.0.0.1:1"}]\nweb: {listen: "10.0.0.1:9300"}\nalerts: {rules: {HubEndpointDown: {for: 7m}}}\n',
  );
  const target = join(folder, 'new/prometheus');
  const { code, out } = await run('export-rules', '--config', config, '--out', target, ...docs);
  const names = ['rules.yml', 'alertmanager.yml', 'prometheus.yml'].map((name) => join(target, name));
  expect([code, out]).toEqual([0, names.map((name) => `wrote ${name}\n`).join('')]);
  expect(names.filter((name) => !existsSync(name))).toEqual([]);
  expect(readFileSync(join(target, 'rules.yml'), 'utf8')).toContain('for: 7m\n');
  expect(readFileSync(join(target, 'prometheus.yml'), 'utf8')).toContain('- 10.0.0.1:9300\n');
});

test('export-rules: links lead to the repository; without a repository in the package, a warning is printed instead', async () => {
  expect(docsUrl('https://git.example.org/owner/hubwatch#readme')).toBe(
    'https://git.example.org/owner/hubwatch/blob/HEAD/docs',
  );
  const { code, out, error } = await run('export-rules');
  expect(code).toBe(0);
  expect(error === '').toBe(out.includes('runbook_url: https://'));
});

import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { prometheusAlerts } from '@hubwatch/daemon/declarations';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findProgram, programHint } from './programs.js';
import { ruleCases } from './rule-tests/rule-tests-file.js';
import { runProgram } from './run-program.js';

const folder = resolve(import.meta.dirname, '../../../deploy/prometheus');
const promtool = findProgram('promtool');
const amtool = findProgram('amtool');
const tests = readdirSync(folder).filter((name) => name.endsWith('.test.yml'));

it('rules: promtool runs a case for every alert', () => {
  const tested = new Set(ruleCases.map(({ alert }) => alert));
  expect(prometheusAlerts().flatMap(({ name }) => (tested.has(name) ? [] : name))).toEqual([]);
  const names = tests.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
  expect([...tested].filter((name) => !names.includes(`alertname: ${name}\n`))).toEqual([]);
});

describe.skipIf(promtool === undefined)(`rules: promtool ${programHint('promtool')}`, () => {
  const run = (args: readonly string[], at = folder) => runProgram(promtool ?? '', args, at);

  it('rules: deploy/prometheus/rules.yml is a valid rule file without duplicates', async () => {
    const { code, text } = await run(['check', 'rules', 'rules.yml']);
    expect([code, text]).toEqual([0, expect.stringMatching(/SUCCESS: \d+ rules found/)]);
    expect(text).not.toContain('duplicate');
  });

  it('rules: the example scrape configuration is valid with these rules', async () => {
    const { code, text } = await run(['check', 'config', 'prometheus.yml']);
    expect([code, text]).toEqual([0, expect.stringMatching(/1 rule files found/)]);
  });

  it.each(tests)('rules: %s passes', { timeout: 300_000 }, async (name) => {
    const { code, text } = await run(['test', 'rules', name]);
    expect([code, text]).toEqual([0, expect.stringContaining('SUCCESS')]);
  });

  it('rules: a changed threshold makes a case fail', { timeout: 300_000 }, async () => {
    const changed = mkdtempSync(join(tmpdir(), 'hubwatch-rules-'));
    onTestFinished(() => rmSync(changed, { recursive: true }));
    copyFileSync(join(folder, 'rules-5m.test.yml'), join(changed, 'rules-5m.test.yml'));
    const rules = readFileSync(join(folder, 'rules.yml'), 'utf8');
    const other = rules.replace('hub_endpoint_mempool_transactions > 100', 'hub_endpoint_mempool_transactions > 101');
    expect(other).not.toBe(rules);
    writeFileSync(join(changed, 'rules.yml'), other);
    const { code, text } = await run(['test', 'rules', 'rules-5m.test.yml'], changed);
    expect([code, text.match(/alertname: \w+/g)]).toEqual([1, ['alertname: HubMempoolBacklog']]);
  });
});

describe.skipIf(amtool === undefined)(`rules: amtool ${programHint('amtool')}`, () => {
  const run = (...args: readonly string[]) => runProgram(amtool ?? '', args, folder);

  it('rules: the example Alertmanager configuration is valid', async () => {
    const { code, text } = await run('check-config', 'alertmanager.yml');
    expect([code, text]).toEqual([0, expect.stringMatching(/- \d+ inhibit rules\n - 4 receivers/)]);
  });

  const receivers: Readonly<Record<string, string>> = {
    critical: 'pager',
    warning: 'chat',
    info: 'mail',
    none: 'watchdog',
  };

  it.each(Object.entries(receivers))(
    'rules: an alert with severity %s is routed to the receiver %s',
    async (severity, receiver) => {
      const alert = prometheusAlerts().find((one) => one.severity === severity);
      const labels = [`alertname=${alert?.name}`, `severity=${severity}`, 'job=other', 'instance=one:9190'];
      const args = ['config', 'routes', 'test', '--config.file=alertmanager.yml', `--verify.receivers=${receiver}`];
      expect(await run(...args, ...labels)).toEqual({
        code: 0,
        text: expect.stringMatching(`^${receiver}\n`) as string,
      });
    },
  );
});

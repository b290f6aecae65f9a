import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { loadConfig, parseConfig } from '../src/config/load.js';

import { configSchema } from '../src/config/schema.js';
import { unknownRules } from '../src/rules/evaluate.js';
import { rules } from '../src/rules/index.js';

const deploy = join(import.meta.dirname, '../../../deploy');
const analyze = '/usr/bin/systemd-analyze';

test('deploy: the example configuration is valid, and contains every section and key', () => {
  const file = join(deploy, 'hubwatch.example.yml');
  const config = loadConfig(file, unknownRules(rules));
  expect(config.endpoints.length).toBeGreaterThan(1);
  const written = parse(readFileSync(file, 'utf8')) as Record<string, Record<string, unknown>>;
  expect(Object.keys(written)).toEqual(Object.keys(configSchema.shape));
  for (const section of ['poll', 'sweeps', 'web', 'store', 'log', 'watch', 'network'] as const) {
    expect(Object.keys(written[section] ?? {}), section).toEqual(Object.keys(config[section]));
  }
});

test('docs: every configuration on the notifiers page is valid', () => {
  const page = readFileSync(join(deploy, '../docs/notifiers.md'), 'utf8');
  const blocks = [...page.matchAll(/```yaml\n(.*?)```/gs)].map(([, block = '']) => block);
  const shown = blocks.flatMap((block) => Object.keys((parse(block) as { notifiers?: object }).notifiers ?? {}));
  expect(shown.toSorted()).toEqual(Object.keys(configSchema.shape.notifiers.unwrap().shape).toSorted());
  for (const block of blocks) parseConfig(`endpoints: [{name: own, grpc: "h:1"}]\n${block}`);
});

test.skipIf(!existsSync(analyze))(
  'deploy: systemd-analyze accepts the unit (needs systemd: apt-get install systemd)',
  () => {
    const unit = join(deploy, 'hubwatch.service');
    const output = execFileSync(analyze, ['verify', unit], { encoding: 'utf8', stdio: 'pipe' });
    expect(output).toBe('');
    const security = execFileSync(analyze, ['security', '--offline=true', '--threshold=15', unit], {
      encoding: 'utf8',
    });
    expect(security).toContain('Overall exposure level');
  },
);

test('deploy: the unit allows everything that Node needs', () => {
  const unit = readFileSync(join(deploy, 'hubwatch.service'), 'utf8');
  expect(unit).not.toMatch(/^MemoryDenyWriteExecute=/m);
  expect(unit).toMatch(/^SystemCallErrorNumber=EPERM$/m);
});

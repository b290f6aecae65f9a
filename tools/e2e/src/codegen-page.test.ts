import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Consumer,
  makeConsumer,
  type Packed,
  pack,
  type Ran,
  runProgram,
  workspace,
} from '@hubwatch/bench/consumers';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { pagePrograms } from './readme-programs.js';

const page = readFileSync(join(workspace, 'docs/codegen.md'), 'utf8');

interface Job {
  readonly steps: readonly { readonly run?: string }[];
}

/** Shell lines of the CI job on the page. */
function jobLines(): string[] {
  const text = /```yaml\n(# \.github[\s\S]*?)```/.exec(page)?.[1] ?? '';
  const { jobs } = parse(text) as { readonly jobs: Readonly<Record<string, Job>> };
  return Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));
}

describe('docs/codegen.md', () => {
  let packed: Packed<'types' | 'codegen'>;
  let consumer: Consumer;
  const file = (path: string): string => join(consumer.folder, path);
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], {
      cwd: consumer.folder,
      encoding: 'utf8',
      stdio: 'pipe',
    });
  const sh = (line: string): Promise<Ran> => runProgram('sh', ['-c', line], consumer.folder);
  /** Output of the job, up to the line that fails. */
  const job = async (): Promise<{
    readonly failed: string | undefined;
    readonly text: string;
    readonly code: number;
  }> => {
    for (const line of jobLines()) {
      // The packages are already installed, as after `npm ci`.
      if (line === 'npm ci') continue;
      const { code, text } = await sh(line);
      if (code !== 0) return { failed: line, text, code };
    }
    return { failed: undefined, text: '', code: 0 };
  };

  beforeAll(async () => {
    packed = await pack(['types', 'codegen']);
    consumer = await makeConsumer(packed, { packages: ['types', 'codegen'] });
    mkdirSync(file('node_modules/.bin'), { recursive: true });
    const { bin } = JSON.parse(readFileSync(file('node_modules/@hubwatch/codegen/package.json'), 'utf8')) as {
      bin: Record<string, string>;
    };
    const script = file(join('node_modules/@hubwatch/codegen', bin['hubwatch-codegen'] ?? ''));
    chmodSync(script, 0o755);
    symlinkSync(script, file('node_modules/.bin/hubwatch-codegen'));
  });
  afterAll(() => {
    consumer.remove();
    packed.remove();
  });

  it('start: init and generate work as documented, and the program prints the documented output', async () => {
    for (const line of ['npx hubwatch-codegen init', 'npx hubwatch-codegen generate']) {
      expect(page).toContain(line);
      const ran = await sh(line);
      expect(ran, ran.text).toMatchObject({ code: 0 });
    }
    const [program] = pagePrograms('docs/codegen.md');
    consumer.write('program.ts', program?.code ?? '');
    const outfile = file('program.mjs');
    await build({
      entryPoints: [file('program.ts')],
      bundle: true,
      format: 'esm',
      platform: 'node',
      outfile,
      logLevel: 'silent',
    });
    expect(await consumer.node('program.mjs')).toEqual({ code: 0, text: program?.output });
  });

  it('job: passes unmodified, detects a stale file, and detects a breaking change that was generated', async () => {
    expect(jobLines()).toEqual([
      'npm ci',
      'npx hubwatch-codegen generate --check',
      'npx hubwatch-codegen breaking --against origin/main',
    ]);
    writeFileSync(file('.gitignore'), 'node_modules\n');
    git('init', '-q', '-b', 'main');
    git('add', '.');
    git('commit', '-qm', 'one');
    git('remote', 'add', 'origin', consumer.folder);
    git('fetch', '-q', 'origin');
    expect(await job()).toMatchObject({ failed: undefined });

    const proto = file('proto/example/v1/example.proto');
    const text = readFileSync(proto, 'utf8');
    writeFileSync(proto, text.replace('  uint64 weight_grams = 2;\n', ''));
    const stale = await job();
    expect(stale).toMatchObject({ failed: 'npx hubwatch-codegen generate --check', code: 1 });
    expect(stale.text).toMatch(/^src\/gen\/forms\/example\/v1\/example\.ts: line \d+ differs/m);
    expect(stale.text).toContain('Run `npx hubwatch-codegen generate` and commit the result.');

    expect(await sh('npx hubwatch-codegen generate')).toMatchObject({ code: 0 });
    const broken = await job();
    expect(broken).toMatchObject({ failed: 'npx hubwatch-codegen breaking --against origin/main', code: 1 });
    expect(broken.text).toContain('example.v1.Thing.weight_grams: field 2 is gone (field-removed)');

    writeFileSync(proto, text.replace('made_at = 3;', 'made_at = 3;\n  string colour = 5;'));
    expect(await sh('npx hubwatch-codegen generate')).toMatchObject({ code: 0 });
    expect(await job()).toMatchObject({ failed: undefined });
  });
});

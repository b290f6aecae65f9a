import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Devnode, startDevnode } from '@hubwatch/devnode';
import type { Benchmark } from './benchmark.js';
import { unitEnvironment } from './consumers/unit-options.js';
import { median } from './median.js';
import { writeDenseChain } from './steady/dense-chain.js';

const root = resolve(import.meta.dirname, '../../..');
const watchedNodes = 20;
const blockMs = 6_000;
const startRecorded = 902_000;
const lastRecorded = 902_100;
/** Initial searches, imports and the first garbage collections are finished by then. */
const warmUpMs = 60_000;
const windowMs = 120_000;
const targets = { rss: 2.2, cpuPercent: 1.5 };

/**
 * Memory and processor time of the built daemon under a light load, started as by the shipped systemd unit, compared
 * with idle Node processes.
 */
export const idle: Benchmark = {
  name: 'idle',
  about:
    'RSS and processor share of the daemon with 20 watched nodes and a block every 6 s, compared with an empty Node process and one with the default collection of prom-client',
  async run({ runs = 1, log }) {
    const rounds: Readonly<Record<Name, Use>>[] = [];
    for (let round = 1; round <= runs; round++) {
      const uses = await measure();
      rounds.push(uses);
      for (const [name, use] of Object.entries(uses)) log(`  round ${round}: ${name} ${textOf(use)}`);
    }
    const of = (name: Name, pick: (use: Use) => number): number => median(rounds.map((uses) => pick(uses[name])));
    const rss = of('daemon', ({ rssMb }) => rssMb) / of('empty', ({ rssMb }) => rssMb);
    const cpuPercent = of('daemon', (use) => use.cpuPercent);
    return {
      figure: Math.max(rss / targets.rss, cpuPercent / targets.cpuPercent),
      target: 1,
      unit: 'of the target that is nearest or exceeded',
      figures: {
        'RSS against an empty Node process': `${rss.toFixed(2)} (target ${targets.rss})`,
        'share of a core': `${cpuPercent.toFixed(2)} % (target ${targets.cpuPercent})`,
        daemon: textOf(rounds.at(-1)?.daemon),
        'empty Node': textOf(rounds.at(-1)?.empty),
        'prom-client, default collection': textOf(rounds.at(-1)?.['prom-client']),
      },
    };
  },
};

type Name = 'daemon' | 'empty' | 'prom-client';

interface Use {
  /** Median of the samples in the window. */
  readonly rssMb: number;
  readonly cpuPercent: number;
}

const textOf = (use: Use | undefined): string =>
  use === undefined ? '' : `${use.rssMb.toFixed(1)} MB, ${use.cpuPercent.toFixed(2)} % of a core`;

const programs = {
  empty: 'setInterval(() => undefined, 1e6)',
  'prom-client': "require('prom-client').collectDefaultMetrics(); setInterval(() => undefined, 1e6)",
};

async function measure(): Promise<Record<Name, Use>> {
  const folder = mkdtempSync(join(tmpdir(), 'hubwatch-bench-'));
  const dense = writeDenseChain(folder, blockMs, lastRecorded);
  const from = dense.heightOf(startRecorded);
  const node = await startDevnode({ mode: 'moving', chain: folder, speed: 'manual', from });
  const file = join(folder, 'hubwatch.yml');
  writeFileSync(file, configOf(node, folder));
  const children: Record<Name, ChildProcess> = {
    daemon: spawn(process.execPath, [join(root, 'packages/daemon/bin/hubwatch.mjs'), 'run', '--config', file], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, ...unitEnvironment() },
    }),
    empty: spawn(process.execPath, ['-e', programs.empty], { stdio: 'ignore' }),
    'prom-client': spawn(process.execPath, ['-e', programs['prom-client']], {
      cwd: join(root, 'packages/daemon'),
      stdio: 'ignore',
    }),
  };
  const blocks = setInterval(() => void node.advanceTo(node.position().height + 1), blockMs);
  try {
    await pauseMs(warmUpMs);
    const names = Object.keys(children) as Name[];
    const rss = new Map<Name, number[]>(names.map((name) => [name, []]));
    const before = new Map(names.map((name) => [name, cpuMsOf(children[name])]));
    const startedMs = performance.now();
    while (performance.now() - startedMs < windowMs) {
      await pauseMs(1_000);
      for (const name of names) rss.get(name)?.push(rssMbOf(children[name]));
    }
    const passedMs = performance.now() - startedMs;
    const useOf = (name: Name): Use => ({
      rssMb: median(rss.get(name) ?? []),
      cpuPercent: (100 * (cpuMsOf(children[name]) - (before.get(name) ?? 0))) / passedMs,
    });
    return { daemon: useOf('daemon'), empty: useOf('empty'), 'prom-client': useOf('prom-client') };
  } finally {
    clearInterval(blocks);
    for (const child of Object.values(children)) child.kill('SIGKILL');
    await node.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Watches the nodes of the recorded chain. */
function configOf(node: Devnode, folder: string): string {
  const known = Object.entries(node.accounts).flatMap(([name, address]) =>
    name.startsWith('node') ? [{ address }] : [],
  );
  return JSON.stringify({
    network: { chain_id: node.chainId },
    endpoints: [{ name: 'own', role: 'own', grpc: node.grpc, rest: node.rest, rpc: node.rpc }],
    watch: { nodes: known.slice(0, watchedNodes) },
    web: { listen: '127.0.0.1:0' },
    store: { path: join(folder, 'hubwatch.db') },
    log: { level: 'error' },
  });
}

const pauseMs = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const rssMbOf = ({ pid }: ChildProcess): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;

/** Processor time so far, user and system; the kernel counts in hundredths of a second. */
function cpuMsOf({ pid }: ChildProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return 10 * (Number(fields[11]) + Number(fields[12]));
}

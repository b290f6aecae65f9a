import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import type { Benchmark, BenchmarkOutcome } from './benchmark.js';
import { stockWire } from './bundle.js';
import { median } from './median.js';
import { counts, expectedSums, type SweepReport } from './sweep/world.js';

const limits = { seconds: 10, peakRssMb: 150, stallMs: 20 } as const;
/** A machine on which even an idle program's timers are later than this says nothing about a sweep by the wall clock. */
const quietMs = 5;

/** Three whole lists read in a process of its own, from a server in another. */
export const sweepClient: Benchmark = {
  name: 'sweep-client',
  about:
    'a million sessions, 100 000 leases and 10 000 nodes over gRPC on loopback, by pages(), beside a loop of ts-proto and grpc-js',
  async run({ runs = 3, log }) {
    // Beside this package, so that the programs find grpc-js.
    const folder = mkdtempSync(join(import.meta.dirname, '../.sweep-'));
    let server: ChildProcess | undefined;
    try {
      const [serve, ours, plain, idle] = await Promise.all(
        (['serve', 'ours', 'plain', 'idle'] as const).map((name) => program(name, folder)),
      );
      const started = await startServer(serve as string);
      server = started.child;
      const reports = { ours: [] as Figures[], plain: [] as Figures[] };
      for (let round = 0; round < runs; round++) {
        for (const [name, file] of [
          ['ours', ours],
          ['plain', plain],
        ] as const) {
          const report = await besideIdle(idle as string, () => sweep(file as string, started.address));
          reports[name].push(report);
          log(`  ${name}: ${line(report)}`);
        }
      }
      return outcomeOf(reports);
    } finally {
      server?.kill();
      rmSync(folder, { recursive: true });
    }
  },
};

async function program(name: string, folder: string): Promise<string> {
  const outfile = join(folder, `${name}.mjs`);
  await build({
    entryPoints: [join(import.meta.dirname, '../src/sweep', `${name}.ts`)],
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    conditions: ['@hubwatch/source'],
    external: ['@grpc/grpc-js', 'ws'],
    plugins: name === 'plain' ? [stockWire] : [],
    outfile,
    logLevel: 'silent',
  });
  return outfile;
}

async function startServer(file: string): Promise<{ child: ChildProcess; address: string }> {
  const child = spawn(process.execPath, [file], { stdio: ['pipe', 'pipe', 'inherit'] });
  const port = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (text: Buffer) => resolve(text.toString().trim()));
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
  });
  return { child, address: `127.0.0.1:${port}` };
}

async function sweep(file: string, address: string): Promise<SweepReport> {
  const { stdout } = await promisify(execFile)(process.execPath, [file, address]);
  const report = JSON.parse(stdout) as SweepReport;
  const [found, right] = [JSON.stringify(report.sums), JSON.stringify(expectedSums())];
  if (found !== right) throw new Error(`sums ${found} where ${right} is right`);
  return report;
}

type Figures = Omit<SweepReport, 'sums'> & {
  /** How late the timers of a program were that did nothing meanwhile. */
  readonly idleLateMs: number;
};

/** A sweep, and what the machine did to an idle program at the same time. */
async function besideIdle(file: string, work: () => Promise<SweepReport>): Promise<Figures> {
  const child = spawn(process.execPath, [file], { stdio: ['pipe', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  const report = await work();
  const told = once(child.stdout, 'data');
  child.stdin.write('end');
  const [text] = (await told) as [Buffer];
  return { ...report, idleLateMs: (JSON.parse(text.toString()) as Pick<SweepReport, 'lateMs'>).lateMs };
}

function line({ seconds, peakRssMb, stallMs, lateMs, lateP99Ms, idleLateMs }: Figures): string {
  const late = `timers at most ${lateMs.toFixed(1)} ms late, 99 of 100 under ${lateP99Ms.toFixed(1)}; of an idle program at most ${idleLateMs.toFixed(1)}`;
  return `${seconds.toFixed(2)} s, peak ${peakRssMb.toFixed(0)} MB, longest stall ${stallMs.toFixed(1)} ms of its own (${late})`;
}

function outcomeOf(reports: Readonly<Record<'ours' | 'plain', readonly Figures[]>>): BenchmarkOutcome {
  const of = (name: 'ours' | 'plain'): Figures => {
    const middle = (key: keyof Figures): number => median(reports[name].map((report) => report[key]));
    return {
      seconds: middle('seconds'),
      peakRssMb: middle('peakRssMb'),
      stallMs: middle('stallMs'),
      lateMs: middle('lateMs'),
      lateP99Ms: middle('lateP99Ms'),
      idleLateMs: middle('idleLateMs'),
    };
  };
  const ours = of('ours');
  const isQuiet = ours.idleLateMs <= quietMs;
  const judged = { ...ours, stallMs: isQuiet ? Math.max(ours.stallMs, ours.lateMs) : ours.stallMs };
  // The outcome is the worst of the three against its own limit, in seconds.
  const worst = Math.max(...(Object.keys(limits) as (keyof typeof limits)[]).map((key) => judged[key] / limits[key]));
  return {
    figure: worst * limits.seconds,
    target: limits.seconds,
    unit: 's',
    figures: {
      ours: line(ours),
      'ts-proto and grpc-js': line(of('plain')),
      limits: `${limits.seconds} s, ${limits.peakRssMb} MB, ${limits.stallMs} ms; the figure is the worst of the three, scaled to ${limits.seconds}`,
      'stall judged by': isQuiet
        ? 'the wall clock, as the machine was quiet'
        : `processor time of the thread alone, as an idle program was up to ${ours.idleLateMs.toFixed(0)} ms late as well`,
      'sums of every run': `exact, of ${counts.sessions + counts.leases + counts.nodes} records`,
    },
  };
}

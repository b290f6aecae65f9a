// The programs of a sweep: a server and its alternating readers, each in a separate process.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { unitOptions } from '../consumers/unit-options.js';
import type { SweepReport } from './world.js';

/** Report of a program, and the timer delays of an idle program at the same time. */
export interface BesideIdle extends SweepReport<unknown> {
  readonly idleLateMs: number;
}

/** Programs in this folder that read from the server. */
export type Reader = 'ours' | 'plain' | 'daemon';

export interface TurnsOptions<R extends Reader> {
  readonly readers: readonly R[];
  readonly runs: number;
  /** Whether the chain moves during the read. */
  readonly isMoving: boolean;
  readonly onReport: (reader: R, report: BesideIdle) => void;
}

/** Starts the server, and runs every reader the given number of times, alternating. */
export async function inTurns<R extends Reader>(options: TurnsOptions<R>): Promise<void> {
  const { readers, runs, isMoving, onReport } = options;
  // Next to this package, so that the programs can resolve packages that are not bundled.
  const folder = mkdtempSync(join(import.meta.dirname, '../../.sweep-'));
  let server: ChildProcess | undefined;
  try {
    const [serve, idle] = [await program('serve', folder), await program('idle', folder)];
    const files = await Promise.all(readers.map((name) => program(name, folder)));
    const started = await startServer(serve, isMoving);
    server = started.child;
    for (let round = 0; round < runs; round++) {
      for (const [index, reader] of readers.entries()) {
        const options = reader === 'daemon' ? unitOptions() : [];
        const args = [...options, files[index] ?? '', started.address];
        onReport(reader, await besideIdle(idle, args));
      }
    }
  } finally {
    server?.kill();
    rmSync(folder, { recursive: true });
  }
}

/** Runs a program together with an idle one. */
async function besideIdle(idle: string, args: readonly string[]): Promise<BesideIdle> {
  const child = spawn(process.execPath, [idle], { stdio: ['pipe', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const told = once(child.stdout, 'data');
  child.stdin.write('end');
  const [text] = (await told) as [Buffer];
  const { lateMs } = JSON.parse(text.toString()) as Pick<BesideIdle, 'lateMs'>;
  return { ...(JSON.parse(stdout) as SweepReport<unknown>), idleLateMs: lateMs };
}

async function program(name: Reader | 'serve' | 'idle', folder: string): Promise<string> {
  const outfile = join(folder, `${name}.mjs`);
  await build({
    entryPoints: [join(import.meta.dirname, '../../src/sweep', `${name}.ts`)],
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    conditions: ['@hubwatch/source'],
    external: ['@grpc/grpc-js', 'ws', ...(name === 'daemon' ? daemonPackages : [])],
    outfile,
    logLevel: 'silent',
  });
  return outfile;
}

/** Packages that the installed daemon requires. */
const daemonPackages = ['libsql', 'nodemailer', 'pino', 'prom-client', 'yaml', 'zod'];

async function startServer(file: string, isMoving: boolean): Promise<{ child: ChildProcess; address: string }> {
  const child = spawn(process.execPath, [file, isMoving ? 'moving' : 'still'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const port = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (text: Buffer) => resolve(text.toString().trim()));
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
  });
  return { child, address: `127.0.0.1:${port}` };
}

// The programs of a sweep: a server, and those that read it in turns, each in a process of its own.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { unitOptions } from '../consumers/unit-options.js';
import type { SweepReport } from './world.js';

/** What a program told, and how late the timers of another were meanwhile that did nothing. */
export interface BesideIdle extends SweepReport<unknown> {
  readonly idleLateMs: number;
}

/** Programs of this folder that read the server. */
export type Reader = 'ours' | 'plain' | 'daemon';

export interface TurnsOptions<R extends Reader> {
  readonly readers: readonly R[];
  readonly runs: number;
  /** Whether the chain moves while it is read. */
  readonly isMoving: boolean;
  readonly onReport: (reader: R, report: BesideIdle) => void;
}

/** Starts the server, and every reader as often as asked, in turns. */
export async function inTurns<R extends Reader>(options: TurnsOptions<R>): Promise<void> {
  const { readers, runs, isMoving, onReport } = options;
  // Beside this package, so that the programs find what is not bundled.
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

/** A run of a program, and what the machine did to an idle one at the same time. */
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

/** What the daemon is installed with. */
const daemonPackages = ['libsql', 'nodemailer', 'pino', 'prom-client', 'yaml', 'zod'];

async function startServer(file: string, isMoving: boolean): Promise<{ child: ChildProcess; address: string }> {
  const child = spawn(process.execPath, [file, isMoving ? 'moving' : 'still'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const port = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (text: Buffer) => resolve(text.toString().trim()));
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
  });
  return { child, address: `127.0.0.1:${port}` };
}

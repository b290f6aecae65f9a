import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { type Ran, runProgram } from '@hubwatch/bench/consumers';
import { eventually } from './eventually.js';
import { findProgram } from './programs.js';
import { UnavailableHereError } from './unavailable-here.js';

/** A booted system with systemd as its first process and the network of this machine. */
export interface BootedContainer {
  readonly run: (program: string, ...args: string[]) => Promise<Ran>;
  /** Shuts the system down. */
  readonly powerOff: () => Promise<void>;
}

/** Whether this machine can boot a container. Many containers cannot. */
export function canBootContainers(): boolean {
  return findProgram('systemd-nspawn') !== undefined && spawnSync('unshare', ['--mount', 'true']).status === 0;
}

/** Boots a Debian root. @param folder root of the system @throws UnavailableHereError if it does not boot */
export async function bootContainer(folder: string): Promise<BootedContainer> {
  const name = basename(dirname(folder)).replaceAll(/[^\w-]/g, '');
  const options = ['--register=no', '--keep-unit', '--link-journal=no', '--console=pipe', `--machine=${name}`];
  const container = spawn('systemd-nspawn', ['-D', folder, '--boot', ...options], {
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [container.stdout, container.stderr]) stream.on('data', (chunk) => (text += String(chunk)));
  const ended = once(container, 'exit').then(() => {
    throw new UnavailableHereError(`systemd-nspawn ended: ${text}`);
  });
  // A container that ends after its boot was powered off.
  ended.catch(() => undefined);
  try {
    const run = await Promise.race([eventually('a booted system', () => bootedIn(container)), ended]);
    return { run, powerOff: () => powerOff(container, run) };
  } catch (error) {
    container.kill('SIGKILL');
    throw error;
  }
}

/** Returns a function that runs programs in a booted container. */
async function bootedIn({ pid }: ChildProcess): Promise<BootedContainer['run'] | undefined> {
  // The container's init is a child of a helper process.
  const [leader = ''] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
  if (leader === '') return undefined;
  const run: BootedContainer['run'] = (...words) =>
    runProgram('nsenter', ['--target', leader, '--all', '--', ...words], '/');
  const { text } = await run('systemctl', 'is-system-running');
  return /^(?:running|degraded)$/m.test(text) ? run : undefined;
}

async function powerOff(container: ChildProcess, run: BootedContainer['run']): Promise<void> {
  const ended = container.exitCode === null ? once(container, 'exit') : undefined;
  await run('systemctl', 'poweroff');
  await ended;
}

import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { must, type Ran, runProgram, workspace } from '@hubwatch/bench/consumers';
import { findProgram } from './programs.js';
import { UnavailableHereError } from './unavailable-here.js';

/** A Debian 12 root in a folder, without Node. */
export interface DebianRoot {
  readonly folder: string;
  /** Runs a program in the root, without systemd and with an empty environment. */
  readonly run: (program: string, ...args: string[]) => Promise<Ran>;
  /** Path of a file in the root, as seen from this machine. */
  readonly path: (file: string) => string;
  readonly remove: () => void;
}

/** Whether this process can create a Debian root. */
export function canMakeDebianRoot(): boolean {
  return process.getuid?.() === 0 && findProgram('debootstrap') !== undefined;
}

/** Creates a fresh copy of the shared root. */
export async function debianRoot(): Promise<DebianRoot> {
  const base = await sharedRoot();
  const parent = mkdtempSync(join(tmpdir(), 'hubwatch-debian-'));
  const folder = join(parent, 'root');
  await must('cp', ['--archive', '--reflink=auto', base, folder], parent);
  const environment = ['-i', 'PATH=/usr/sbin:/usr/bin:/sbin:/bin', 'LC_ALL=C.UTF-8'];
  return {
    folder,
    run: (...words) => runProgram('chroot', [folder, '/usr/bin/env', ...environment, ...words], folder),
    path: (file) => join(folder, file),
    remove: () => {
      rmSync(parent, { recursive: true });
    },
  };
}

/** Created once per checkout, because that takes most of a minute; a copy takes about a second. */
async function sharedRoot(): Promise<string> {
  const shared = join(workspace, '.hubwatch/debian-12');
  if (existsSync(shared)) return shared;
  mkdirSync(join(workspace, '.hubwatch'), { recursive: true });
  const made = mkdtempSync(`${shared}-`);
  chmodSync(made, 0o755);
  const options = ['--variant=minbase', '--include=systemd,systemd-sysv,dbus', 'bookworm', made];
  const { code, text } = await runProgram('debootstrap', options, workspace);
  if (code !== 0) {
    rmSync(made, { recursive: true, force: true });
    throw new UnavailableHereError(`debootstrap ended with ${code}: ${text.trim().split('\n').at(-1) ?? ''}`);
  }
  // Skips syncing to disk, which takes most of the time of an installation.
  writeFileSync(join(made, 'etc/dpkg/dpkg.cfg.d/unsafe-io'), 'force-unsafe-io\n');
  try {
    renameSync(made, shared);
  } catch {
    // Another process created it first.
    rmSync(made, { recursive: true });
  }
  return shared;
}

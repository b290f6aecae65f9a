import { type ChildProcess, spawn } from 'node:child_process';
import { type Installation, installIsolated } from './isolated-install.js';
import { pack, published } from './packages.js';

/** What a command did, its streams apart. */
export interface CommandRan {
  /** `null` where a signal ended it. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

export interface CommandOptions {
  /** Working folder; that of the installation when left out. */
  readonly cwd?: string;
  /** Added to the environment, which is empty but for `PATH` and `HOME`. */
  readonly env?: Readonly<Record<string, string>>;
  /** Program that runs the script, such as another version of Node; the `#!` line decides when left out. */
  readonly node?: string;
  /** Ends the command with SIGKILL. */
  readonly signal?: AbortSignal;
}

/** A command that still runs. */
export interface RunningCommand {
  readonly child: ChildProcess;
  /** What it wrote so far. */
  readonly out: () => string;
  readonly err: () => string;
  /** Resolves when it has ended and its streams are closed. */
  readonly ended: Promise<CommandRan>;
}

/** `hubwatch` and `hubwatch-codegen` as somebody who installed the tarballs has them. */
export interface PackedPrograms extends Installation {
  readonly start: (command: Command, args: readonly string[], options?: CommandOptions) => RunningCommand;
  /** Runs a command to its end. A command that fails is an answer, not an error. */
  readonly run: (command: Command, args: readonly string[], options?: CommandOptions) => Promise<CommandRan>;
}

export type Command = 'hubwatch' | 'hubwatch-codegen';

let made: Promise<PackedPrograms> | undefined;

/** Packed and installed once a process, into a folder that is removed when the process ends. */
export function packedPrograms(): Promise<PackedPrograms> {
  return (made ??= make());
}

async function make(): Promise<PackedPrograms> {
  const packed = await pack(published);
  let installation: Installation;
  try {
    // buf is a download of 130 MB that the generator can do without.
    installation = await installIsolated(packed, { packages: ['daemon', 'codegen'], omit: ['@bufbuild/buf'] });
  } finally {
    packed.remove();
  }
  process.once('exit', installation.remove);
  const start: PackedPrograms['start'] = (command, args, options = {}) =>
    startCommand(installation.bin(command), args, { cwd: installation.folder, ...options });
  return { ...installation, start, run: (...given) => start(...given).ended };
}

function startCommand(
  path: string,
  args: readonly string[],
  { cwd, env, node, signal }: CommandOptions & { readonly cwd: string },
): RunningCommand {
  const [program, ...words] = node === undefined ? [path, ...args] : [node, path, ...args];
  const child = spawn(program, words, {
    cwd,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(signal && { signal, killSignal: 'SIGKILL' }),
  });
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => void (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => void (err += text));
  const ended = new Promise<CommandRan>((resolve, reject) => {
    // An abort is reported as an error too, after which the process still closes.
    child.once('error', (error) => signal?.aborted !== true && reject(error));
    child.once('close', (code, by) => resolve({ code, signal: by, out, err }));
  });
  return { child, out: () => out, err: () => err, ended };
}

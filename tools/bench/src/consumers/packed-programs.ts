import { type ChildProcess, spawn } from 'node:child_process';
import { type Installation, installIsolated } from './isolated-install.js';
import { pack, published } from './packages.js';

/** Result of a command, with separate output streams. */
export interface CommandRan {
  /** `null` if a signal ended it. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

export interface CommandOptions {
  /** Working directory; defaults to the installation folder. */
  readonly cwd?: string;
  /** Added to the environment, which otherwise contains only `PATH` and `HOME`. */
  readonly env?: Readonly<Record<string, string>>;
  /** Program that runs the script, such as another version of Node; by default the `#!` line decides. */
  readonly node?: string;
  /** Kills the command with SIGKILL. */
  readonly signal?: AbortSignal;
}

/** A running command. */
export interface RunningCommand {
  readonly child: ChildProcess;
  /** Returns the output so far. */
  readonly out: () => string;
  readonly err: () => string;
  /** Resolves when the command has ended and its streams are closed. */
  readonly ended: Promise<CommandRan>;
}

/** `hubwatch` and `hubwatch-codegen` as installed from the tarballs. */
export interface PackedPrograms extends Installation {
  readonly start: (command: Command, args: readonly string[], options?: CommandOptions) => RunningCommand;
  /** Runs a command to completion. A failing command is a result, not an error. */
  readonly run: (command: Command, args: readonly string[], options?: CommandOptions) => Promise<CommandRan>;
}

export type Command = 'hubwatch' | 'hubwatch-codegen';

let made: Promise<PackedPrograms> | undefined;

/** Packs and installs once per process, into a folder that is removed when the process exits. */
export function packedPrograms(): Promise<PackedPrograms> {
  return (made ??= make());
}

async function make(): Promise<PackedPrograms> {
  const packed = await pack(published);
  let installation: Installation;
  try {
    // buf is a download of 130 MB that the generator does not require.
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
    // An abort is also reported as an error, and the process still closes afterwards.
    child.once('error', (error) => signal?.aborted !== true && reject(error));
    child.once('close', (code, by) => resolve({ code, signal: by, out, err }));
  });
  return { child, out: () => out, err: () => err, ended };
}

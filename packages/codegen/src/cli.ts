import { resolve } from 'node:path';

import { CommanderError } from 'commander';

import { configOf, declareCommandLine, usageErrorOf } from './cli-options.js';
import type { CliStreams, Command, Flags } from './commands/command.js';
import { commands } from './commands/index.js';
import { failureOf } from './exit-codes.js';
import { checkEmitter } from './project/config.js';
import { findProject } from './project/find-project.js';
import { makeProject, type Project } from './project/project.js';

export type { CliStreams } from './commands/command.js';

const names = commands.map(({ name }) => name);

/** Runs the command line and returns the exit code. */
export async function runCli(args: readonly string[], cwd: string, streams: CliStreams): Promise<number> {
  let running: Command | undefined;
  let code: number = 0;
  const program = declareCommandLine(commands, streams.out, async (command, rest, flags) => {
    const readProject = projectOf(command, cwd, flags);
    const project = readProject();
    const isShown = streams.isTerminal === true && flags['quiet'] !== true;
    code = await command.run({
      ...streams,
      root: project.folder,
      project,
      readProject,
      cwd,
      args: rest,
      flags,
      json: flags['json'] === true,
      progress: (line) => void (isShown && streams.err(`${line}\n`)),
    });
  });
  program.hook('preSubcommand', (_program, chosen) => {
    running = commands.find(({ name }) => name === chosen.name());
  });
  try {
    await program.parseAsync(args, { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    return fail(usageErrorOf(error, names), args, running, streams);
  }
}

/** The help of every command, as printed by `--help`. */
export function codegenHelp(): readonly { readonly name: string; readonly help: string }[] {
  let help = '';
  const program = declareCommandLine(
    commands,
    (text) => (help += text),
    () => Promise.resolve(),
  );
  return program.commands.map((command) => {
    help = '';
    command.outputHelp();
    return { name: command.name(), help };
  });
}

function projectOf(command: Command, cwd: string, flags: Flags): () => Project {
  const { config, root } = flags;
  const over = configOf(flags);
  if (over.emitters !== 'all') for (const name of over.emitters ?? []) checkEmitter(name, '--emitters');
  return () => {
    if (command.startsEmpty && typeof config !== 'string') {
      return makeProject(resolve(cwd, typeof root === 'string' ? root : '.'), over);
    }
    return findProject(cwd, {
      ...(typeof config === 'string' && { config }),
      ...(typeof root === 'string' && { root }),
      over,
      otherwise: command.projectWithout?.(flags),
    });
  };
}

function fail(error: unknown, args: readonly string[], command: Command | undefined, { out, err }: CliStreams): number {
  const { code, kind } = failureOf(error);
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  if (args.includes('--json')) {
    out(`${JSON.stringify({ command: command?.name ?? null, ok: false, error: { kind, message } })}\n`);
  }
  const isDebug = args.includes('--debug');
  if (kind === 'internal') {
    const hint = isDebug ? '' : ' Run again with --debug to see where.';
    err(`hubwatch-codegen: internal error: ${message.split('\n')[0]}.${hint}\n`);
  } else err(`hubwatch-codegen: ${message}\n`);
  if (kind === 'usage') err('See hubwatch-codegen --help.\n');
  if (isDebug) err(`${stack}\n${causes(error)}`);
  return code;
}

function causes(error: unknown): string {
  const { cause } = error instanceof Error ? error : {};
  return cause instanceof Error ? `caused by ${cause.stack}\n${causes(cause)}` : '';
}

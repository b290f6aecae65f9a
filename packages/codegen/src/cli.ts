import { resolve } from 'node:path';

import { checkUsage, commonOptions, configOf, type Flags, parseOptions } from './cli-options.js';
import type { CliStreams, Command } from './commands/command.js';
import { commands } from './commands/index.js';
import { exitCodes, failureOf } from './exit-codes.js';
import { suggestion } from './nearest.js';
import { checkEmitter } from './project/config.js';
import { findProject } from './project/find-project.js';
import { makeProject, type Project } from './project/project.js';
import { UsageError } from './usage-error.js';
import { version } from './version.js';

export type { CliStreams } from './commands/command.js';

const names = commands.map(({ name }) => name);

function table(rows: readonly (readonly [left: string, right: string])[]): string {
  return rows
    .map(([left, right]) =>
      left.length < 29 ? `  ${left.padEnd(29)}${right}` : `  ${left}\n${' '.repeat(31)}${right}`,
    )
    .join('\n');
}

/** The text of all commands, or of one. */
function help(command: Command | undefined): string {
  const options = Object.entries(commonOptions).map(([name, { value, short, does }]) => {
    const usage = `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`;
    return [usage, does] as const;
  });
  const head =
    command === undefined
      ? `Usage: hubwatch-codegen <command> [options]

Makes typed methods, forms, routes and codecs of proto files and an interface spec, and compares them with what is there.

Commands
${table(commands.flatMap((each) => each.help))}

hubwatch-codegen <command> --help shows one of them. Proto files are compiled by buf, an optional dependency of 130 MB; where it was
left out (npm install --omit=optional), give a compiled set with --descriptors.`
      : `Usage: hubwatch-codegen ${[command.name, ...command.takes.map((each) => each.toUpperCase())].join(' ')} [options]

${table(command.help)}`;
  return `${head}

Options${command === undefined ? '' : ' of every command'}
${table(options)}

Exit codes
${table(Object.entries(exitCodes))}
`;
}

/** Runs the command line and gives the exit code. */
export async function runCli(args: readonly string[], cwd: string, streams: CliStreams): Promise<number> {
  const { out, err } = streams;
  let command: Command | undefined;
  try {
    const { flags, positionals } = parseOptions(args, commands);
    const [name, ...rest] = positionals;
    if (flags['help'] === true) {
      out(help(commands.find((known) => known.name === name)));
      return 0;
    }
    if (flags['version'] === true && name === undefined) {
      out(`hubwatch-codegen ${version}\n`);
      return 0;
    }
    if (name === undefined) throw new UsageError(`a command is missing; commands are ${names.join(', ')}`);
    command = commands.find((known) => known.name === name);
    if (!command)
      throw new UsageError(`${name} is no command${suggestion(name, names) || ';'} Commands are ${names.join(', ')}`);
    checkUsage(command, rest, flags);
    const readProject = projectOf(command, cwd, flags);
    const project = readProject();
    const isShown = streams.isTerminal === true && flags['quiet'] !== true;
    return await command.run({
      ...streams,
      root: project.folder,
      project,
      readProject,
      cwd,
      args: rest,
      flags,
      json: flags['json'] === true,
      progress: (line) => void (isShown && err(`${line}\n`)),
    });
  } catch (error) {
    return fail(error, args, command, streams);
  }
}

function projectOf(command: Command, cwd: string, flags: Flags): () => Project {
  const { config, root } = flags;
  const over = configOf(flags);
  if (over.emitters !== 'all') for (const name of over.emitters ?? []) checkEmitter(name, '--emitters');
  if (typeof config === 'string' && typeof root === 'string') {
    throw new UsageError('--config names a file and --root its folder; give one of them');
  }
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
    err(`hubwatch-codegen: a fault of the program itself: ${message.split('\n')[0]}.${hint}\n`);
  } else err(`hubwatch-codegen: ${message}\n`);
  if (kind === 'usage') err('See hubwatch-codegen --help.\n');
  if (isDebug) err(`${stack}\n${causes(error)}`);
  return code;
}

function causes(error: unknown): string {
  const { cause } = error instanceof Error ? error : {};
  return cause instanceof Error ? `caused by ${cause.stack}\n${causes(cause)}` : '';
}

import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { CodegenError } from './codegen-error.js';
import type { CliStreams, Command } from './commands/command.js';
import { commands } from './commands/index.js';
import { outputFolder } from './output.js';
import { UsageError } from './usage-error.js';

export type { CliStreams } from './commands/command.js';

const names = commands.map(({ name }) => name).join(', ');

function help(): string {
  const lines = commands.flatMap((command) => command.help).map(([usage, does]) => `  ${usage.padEnd(28)}${does}`);
  return `Usage: hubwatch-codegen <command> [options]

Makes the generated files of the types package from proto/ and proto/spec, and holds them against a live node.

Commands
${lines.join('\n')}

Options
  --root DIR   folder that holds proto/ and packages/types
               (default: the nearest one upwards from the working folder)
  --json       one JSON object on standard output instead of text
  --quiet      no progress on standard error
  -h, --help   this text

Exit codes: 0 done, 1 something differs or an input is wrong, 2 wrong usage.
`;
}

/** Runs the command line and gives the exit code. */
export async function runCli(args: readonly string[], cwd: string, streams: CliStreams): Promise<number> {
  const { out, err } = streams;
  try {
    const { values, positionals } = parse(args);
    if (values['help']) {
      out(help());
      return 0;
    }
    const [name, ...rest] = positionals;
    if (name === undefined) throw new UsageError(`a command is missing; commands are ${names}`);
    const command = commands.find((known) => known.name === name);
    if (!command) throw new UsageError(`${name}: commands are ${names}`);
    checkUsage(command, rest, values);
    const given = values['root'];
    const root = typeof given === 'string' ? checkRoot(resolve(cwd, given), command) : findRoot(cwd, command);
    const quiet = values['quiet'] === true;
    return await command.run({
      ...streams,
      root,
      cwd,
      args: rest,
      flags: values,
      json: values['json'] === true,
      progress: (line) => void (quiet || err(`${line}\n`)),
    });
  } catch (error) {
    if (error instanceof UsageError) {
      err(`hubwatch-codegen: ${error.message}\nSee hubwatch-codegen --help.\n`);
      return 2;
    }
    if (!(error instanceof CodegenError)) throw error;
    err(`hubwatch-codegen: ${error.message}\n`);
    return 1;
  }
}

type Values = Readonly<Record<string, string | boolean | undefined>>;

const common: Readonly<Record<string, boolean>> = { root: true, json: false, quiet: false, help: false };

function parse(args: readonly string[]): { values: Values; positionals: string[] } {
  const all = [common, ...commands.map(({ options }) => options)].flatMap((options) => Object.entries(options));
  const options = Object.fromEntries(
    all.map(([name, hasValue]) => [
      name,
      { type: hasValue ? 'string' : 'boolean', ...(name === 'help' && { short: 'h' }) } as const,
    ]),
  );
  try {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
    return { values: values, positionals };
  } catch (cause) {
    throw new UsageError((cause as Error).message);
  }
}

function checkUsage({ name, takes, options }: Command, args: readonly string[], values: Values): void {
  if (takes.length === 0 && args.length > 0) throw new UsageError(`${name} takes options only, not ${args.join(' ')}`);
  if (args.length !== takes.length) {
    throw new UsageError(`${name} takes ${takes.map((each) => each.toUpperCase()).join(' ')}, not "${args.join(' ')}"`);
  }
  const foreign = Object.keys(values).find((option) => !(option in common) && !(option in options));
  if (foreign === undefined) return;
  const own = Object.keys(options).map((option) => `--${option}`);
  throw new UsageError(
    `${name} does not take --${foreign}; ${own.length > 0 ? `it takes ${own.join(', ')}` : 'it has no options of its own'}`,
  );
}

function isRoot(folder: string): boolean {
  return existsSync(join(folder, 'proto/buf.yaml')) && existsSync(join(folder, dirname(outputFolder)));
}

function checkRoot(folder: string, { startsEmpty }: Command): string {
  if (isRoot(folder) || (startsEmpty && existsSync(folder))) return folder;
  throw new CodegenError(
    `${folder} holds no proto/buf.yaml and ${dirname(outputFolder)}; give the right one with --root`,
  );
}

function findRoot(cwd: string, { startsEmpty }: Command): string {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    if (isRoot(folder)) return folder;
    if (folder === dirname(folder)) break;
  }
  throw new CodegenError(
    `no folder from ${cwd} upwards holds proto/buf.yaml and ${dirname(outputFolder)}; give ${startsEmpty ? 'a folder to fill' : 'one'} with --root`,
  );
}

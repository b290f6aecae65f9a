import { Command as Declaration, CommanderError } from 'commander';

import type { CliStreams, Command, Flags } from './commands/command.js';
import { valueOption } from './commands/value-option.js';
import { commandExitCodes } from './exit-codes.js';
import type { ProjectConfig } from './project/config.js';
import { CommandUsageError } from './usage-error.js';
import { version } from './version.js';

/** Width of the help in columns, in every terminal and in the docs. */
const helpWidth = 110;

const exitCodeText = `\nExit codes:\n${Object.entries(commandExitCodes)
  .map(([code, means]) => `  ${code.padEnd(4)}${means}`)
  .join('\n')}`;

/**
 * Declares the command line.
 * @param out receives the help and the version
 * @param run receives the selected command, with its arguments and the values of all options
 */
export function declareCommandLine(
  commands: readonly Command[],
  out: CliStreams['out'],
  run: (command: Command, args: readonly string[], flags: Flags) => Promise<void>,
): Declaration {
  const program = new Declaration('hubwatch-codegen')
    .exitOverride()
    .configureOutput({ writeOut: out, writeErr: () => undefined, getOutHelpWidth: () => helpWidth })
    .configureHelp({ showGlobalOptions: true })
    .description(
      'Makes typed methods, forms, routes and codecs of proto files and an interface spec, and compares them with what is there.',
    )
    .addOption(
      valueOption(
        '--config <FILE>',
        'configuration file (default: hubwatch-codegen.yml of the nearest folder upwards)',
      ),
    )
    .addOption(
      valueOption(
        '--root <DIR>',
        'folder of the project instead: its hubwatch-codegen.yml, or the usual places',
      ).conflicts('config'),
    )
    .addOption(valueOption('--protos <DIRS>', 'folders with proto files, separated by commas').conflicts('descriptors'))
    .addOption(valueOption('--descriptors <FILE>', 'a FileDescriptorSet instead of proto files; - is standard input'))
    .addOption(valueOption('--spec <DIR>', 'folder of the interface spec'))
    .addOption(valueOption('--output <DIR>', 'folder of the generated files'))
    .addOption(valueOption('--naming <FILE>', 'naming profile'))
    .addOption(valueOption('--runtime <PATH>', 'module from which generated files import their codecs'))
    .addOption(valueOption('--emitters <NAMES>', 'kinds of generated files, separated by commas, or all'))
    .option('--json', 'print one JSON document on standard output instead of text')
    .option('--quiet', 'no progress on standard error')
    .option('--debug', 'print the stack of an error too')
    .version(`hubwatch-codegen ${version}`, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print the help of a command')
    .helpCommand('help [COMMAND]', 'print the help of a command')
    .addHelpText('afterAll', exitCodeText)
    .addHelpText(
      'after',
      `
Proto files are compiled by buf, an optional dependency of 130 MB; where it was left out
(npm install --omit=optional), give a compiled set with --descriptors.`,
    );
  for (const command of commands) {
    const declared = program.command(command.name).summary(command.summary);
    command.declare(declared);
    declared.action(() => run(command, declared.args, declared.optsWithGlobals()));
  }
  return program;
}

/** A usage error of commander as one line; any other error unchanged. */
export function usageErrorOf(error: unknown, names: readonly string[]): unknown {
  if (!(error instanceof CommanderError)) return error;
  const commandsAre = `ommands are ${names.join(', ')}`;
  if (error.code === 'commander.help') return new CommandUsageError(`a command is missing; c${commandsAre}`);
  const message = error.message
    .replace(/^error: /, '')
    .replace(/\n\(Did you mean (.+)\?\)$/, '; did you mean $1?')
    .replaceAll(/'([^']*)'/g, '"$1"');
  if (error.code !== 'commander.unknownCommand') return new CommandUsageError(message);
  return new CommandUsageError(`${message}${message.endsWith('?') ? ' C' : '; c'}${commandsAre}`);
}

/** Configuration keys that are set on the command line. */
export function configOf(flags: Flags): ProjectConfig {
  const text = (name: string): string | undefined => {
    const value = flags[name];
    return typeof value === 'string' ? value : undefined;
  };
  const list = (name: string): string[] | undefined => text(name)?.split(',');
  const given = {
    protos: list('protos'),
    descriptors: text('descriptors'),
    spec: text('spec'),
    output: text('output'),
    naming: text('naming'),
    runtime: text('runtime'),
    emitters: flags['emitters'] === 'all' ? ('all' as const) : list('emitters'),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

import { errorText } from '@hubwatch/client';
import { type Command, CommanderError } from 'commander';
import { ConfigError } from '../config/problem.js';
import { type Console, declareCommands } from './commands.js';
import { exitCodes } from './exit-codes.js';
import { showsColours } from './shows-colours.js';
import { UsageError } from './usage-error.js';

export type { Console } from './commands.js';

const standard: Console = {
  hasColours: showsColours(process.stdout, process.env),
  out: (text) => process.stdout.write(text),
  error: (text) => process.stderr.write(text),
};

/** The command line program; resolves to its exit code. */
export const main = async (args: readonly string[], console: Console = standard): Promise<number> => {
  let code: number = exitCodes.done;
  const program = declareCommands(console, (ended) => (code = ended));
  // The command selected by the arguments so far.
  let command = program;
  for (const group of [program, ...program.commands])
    group.hook('preSubcommand', (_group, chosen) => {
      command = chosen;
    });
  try {
    await program.parseAsync(args, { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.done;
    const usage = usageProblem(error, command);
    const message = usage ?? errorText(error);
    if (command.name() === 'check') {
      const { pluginFailure, pluginStates } = await import('./plugin-result.js');
      // The caller of a plugin reads one line and the exit code.
      console.out(pluginFailure(message));
      return pluginStates.unknown;
    }
    if (usage !== undefined) {
      console.error(`hubwatch: ${usage}\n\n${usageOf(command)}\n`);
      return exitCodes.usage;
    }
    if (error instanceof ConfigError) {
      console.error(`${message}\n`);
      return exitCodes.config;
    }
    console.error(`hubwatch: ${message}\n`);
    return exitCodes.failed;
  }
};

/** Text of a usage error; `undefined` for any other failure. */
const usageProblem = (error: unknown, command: Command): string | undefined => {
  if (error instanceof UsageError) return error.message;
  if (!(error instanceof CommanderError)) return undefined;
  const names = command.commands.map((member) => member.name()).join(', ');
  switch (error.code) {
    case 'commander.help':
      return `${command.parent === null ? '' : `${command.name()}: `}a command is missing; allowed: ${names}`;
    case 'commander.unknownCommand':
      return `${plain(error)}${error.message.includes('\n') ? ' Allowed' : '; allowed'}: ${names}`;
    default:
      return plain(error);
  }
};

/** A message from commander on one line. A value after an unknown option is left out: it may be a secret. */
const plain = ({ message }: CommanderError): string =>
  message
    .replace(/^error: /, '')
    .replace(/\n\((Did you mean .+\?)\)$/, (_all, hint: string) => `; d${hint.slice(1)}`)
    .replace(/^(unknown option '[^'=]+)=.*'/s, "$1'")
    .replaceAll(/'([^']*)'/g, '"$1"');

const usageOf = (command: Command): string => {
  const words: string[] = [];
  for (let each: Command | null = command; each !== null; each = each.parent) words.unshift(each.name());
  if (words.length === 1) return 'See hubwatch --help.';
  return `usage: ${command.createHelp().commandUsage(command)}\n\nSee ${words.join(' ')} --help.`;
};

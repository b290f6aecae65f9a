import type { Argument, Command, Option } from 'commander';
import { declareCommands } from './commands.js';

/** A command as its help describes it, for man pages and shell completions. */
export interface CommandDeclaration {
  readonly name: string;
  /** Short text for lists of commands. */
  readonly summary: string;
  readonly description: string;
  /** Usage after the words of the command, such as `[options] [SUBJECT...]`. */
  readonly usage: string;
  readonly arguments: readonly ArgumentDeclaration[];
  readonly options: readonly OptionDeclaration[];
  readonly commands: readonly CommandDeclaration[];
  /** Text after the help, such as the exit codes; empty if there is none. */
  readonly remarks: string;
}

export interface ArgumentDeclaration {
  readonly name: string;
  readonly description: string;
}

export interface OptionDeclaration {
  /** As printed in the help: `-c, --config <FILE>`. */
  readonly flags: string;
  readonly description: string;
  /** `-c`, if there is a short form. */
  readonly short: string | undefined;
  /** `--config`. */
  readonly long: string;
  /** Name of the option's value, such as `FILE`; `undefined` for a switch. */
  readonly value: string | undefined;
  /** Allowed values; empty if they are not enumerated. */
  readonly choices: readonly string[];
}

/** The program with all declared commands. */
export function commandTree(): CommandDeclaration {
  const describe = (command: Command): CommandDeclaration => {
    const help = command.createHelp();
    let printed = '';
    command.configureOutput({ writeOut: (text) => (printed += text) }).outputHelp();
    const remarks = printed.slice(command.helpInformation().length).trim();
    return {
      name: command.name(),
      summary: help.subcommandDescription(command),
      description: command.description(),
      usage: command.usage(),
      arguments: help.visibleArguments(command).map(describeArgument),
      options: help.visibleOptions(command).map(describeOption),
      commands: help.visibleCommands(command).map(describe),
      remarks,
    };
  };
  const silent = { out: () => undefined, error: () => undefined };
  return describe(declareCommands(silent, () => undefined));
}

function describeArgument(argument: Argument): ArgumentDeclaration {
  return { name: argument.name(), description: argument.description };
}

function describeOption({ flags, description, short, long, argChoices = [] }: Option): OptionDeclaration {
  if (long === undefined) throw new Error(`option ${flags} has no long form`);
  const value = /[<[]([^\]>]+)[\]>]/.exec(flags)?.[1];
  return { flags, description, short, long, value, choices: argChoices };
}

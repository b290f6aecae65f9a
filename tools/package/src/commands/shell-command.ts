import type { CommandDeclaration, OptionDeclaration } from '@hubwatch/daemon/declarations';

/** A command, prepared for shell completions. */
export interface ShellCommand {
  /** Words after the program name; empty for the program itself. */
  readonly words: readonly string[];
  readonly options: readonly OptionDeclaration[];
  readonly members: readonly { readonly name: string; readonly summary: string }[];
  /** Whether an argument, or an option without listed values, is a file name. */
  readonly takesFile: boolean;
}

/** The program and all its commands; parents precede their subcommands. */
export function shellCommands(command: CommandDeclaration, words: readonly string[] = []): ShellCommand[] {
  const { options, commands } = command;
  const members = commands.map(({ name, summary }) => ({ name, summary }));
  const takesFile = command.arguments.some(({ name }) => name === 'FILE');
  const own: ShellCommand = { words, options, members, takesFile };
  return [own, ...commands.flatMap((member) => shellCommands(member, [...words, member.name]))];
}

/** Short form, followed by the long form. */
export function namesOf({ short, long }: OptionDeclaration): string[] {
  return short === undefined ? [long] : [short, long];
}

/** Quotes a text without backslashes as one single-quoted word that is valid in all three shells. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

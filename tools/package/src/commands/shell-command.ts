import type { CommandDeclaration, OptionDeclaration } from '@hubwatch/daemon/declarations';

/** A command as shell completions need it. */
export interface ShellCommand {
  /** Words after the name of the program; empty for the program itself. */
  readonly words: readonly string[];
  readonly options: readonly OptionDeclaration[];
  readonly members: readonly { readonly name: string; readonly summary: string }[];
  /** Whether an argument or option without a list of values names a file. */
  readonly takesFile: boolean;
}

/** The program and all its commands, parents before their members. */
export function shellCommands(command: CommandDeclaration, words: readonly string[] = []): ShellCommand[] {
  const { options, commands } = command;
  const members = commands.map(({ name, summary }) => ({ name, summary }));
  const takesFile = command.arguments.some(({ name }) => name === 'FILE');
  const own: ShellCommand = { words, options, members, takesFile };
  return [own, ...commands.flatMap((member) => shellCommands(member, [...words, member.name]))];
}

/** Short form, then long form. */
export function namesOf({ short, long }: OptionDeclaration): string[] {
  return short === undefined ? [long] : [short, long];
}

/** A text without backslashes as one word in single quotes, for all three shells. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

import type { CommandDeclaration, OptionDeclaration } from '@hubwatch/daemon/declarations';
import { quoted, type ShellCommand, shellCommands } from './shell-command.js';

/** Completion script for fish. */
export function fishCompletion(program: CommandDeclaration): string {
  const lines = shellCommands(program).flatMap((command) => commandLines(program.name, command));
  return `# Completion of ${program.name} for fish.
complete -c ${program.name} -f
${lines.join('\n')}
`;
}

function commandLines(program: string, { words, options, members, takesFile }: ShellCommand): string[] {
  const condition = quoted(
    conditionOf(
      words,
      members.map(({ name }) => name),
    ),
  );
  const start = `complete -c ${program} -n ${condition}`;
  return [
    ...members.map(({ name, summary }) => `${start} -a ${name} -d ${quoted(summary)}`),
    ...(takesFile ? [`${start} -F`] : []),
    ...options.map((option) => `${start} ${optionFlags(option)} -d ${quoted(option.description)}`),
  ];
}

/** Condition that a command is the last one on the command line. */
function conditionOf(words: readonly string[], members: readonly string[]): string {
  if (words.length === 0) return '__fish_use_subcommand';
  const given = words.map((word) => `__fish_seen_subcommand_from ${word}`).join('; and ');
  return members.length === 0 ? given : `${given}; and not __fish_seen_subcommand_from ${members.join(' ')}`;
}

function optionFlags({ short, long, value, choices }: OptionDeclaration): string {
  const names = [...(short === undefined ? [] : [`-s ${short.slice(1)}`]), `-l ${long.slice(2)}`];
  if (value === undefined) return names.join(' ');
  if (value === 'FILE') return [...names, '-r', '-F'].join(' ');
  return [...names, '-x', ...(choices.length === 0 ? [] : [`-a ${quoted(choices.join(' '))}`])].join(' ');
}

import type { CommandDeclaration, OptionDeclaration } from '@hubwatch/daemon/declarations';
import { quoted, type ShellCommand, shellCommands } from './shell-command.js';

/** Completion function for zsh, for a file named `_PROGRAM` in `fpath`. */
export function zshCompletion(program: CommandDeclaration): string {
  const [own, ...commands] = shellCommands(program);
  if (own === undefined) throw new Error(`${program.name} has no command`);
  return `#compdef ${program.name}
# Completion of ${program.name} for zsh.
${[own, ...commands].map((command) => commandFunction(program.name, command)).join('\n')}
${functionName(program.name, own)} "$@"
`;
}

function commandFunction(program: string, command: ShellCommand): string {
  const { options, members, takesFile } = command;
  const specs = options.flatMap(optionSpecs);
  if (members.length > 0) specs.push(quoted('1: :->command'), quoted('*:: :->words'));
  else if (takesFile) specs.push(quoted('*:file:_files'));
  else specs.push(quoted('*:argument:()'));
  return `${functionName(program, command)}() {
    local state line
    _arguments -C -S \\
        ${specs.join(' \\\n        ')}
${members.length > 0 ? memberCases(program, command) : ''}}
`;
}

/** Offers the subcommands, and passes the words after a subcommand to its function. */
function memberCases(program: string, command: ShellCommand): string {
  const descriptions = command.members.map(({ name, summary }) => quoted(`${name}:${summary}`));
  const cases = command.members.map(({ name }) => {
    const member = functionName(program, { ...command, words: [...command.words, name] });
    return `            ${name}) ${member} ;;`;
  });
  return `    case $state in
    command)
        local -a members=(
            ${descriptions.join('\n            ')}
        )
        _describe command members
        ;;
    words)
        case $line[1] in
${cases.join('\n')}
        esac
        ;;
    esac
`;
}

function functionName(program: string, { words }: ShellCommand): string {
  return ['', program, ...words.map((word) => word.replaceAll('-', '_'))].join('_');
}

/** `_arguments` specifications of an option; its short and long form exclude each other. */
function optionSpecs({ short, long, description, value, choices }: OptionDeclaration): string[] {
  const names = short === undefined ? [long] : [short, long];
  const text = description.replaceAll(/[[\]:\\]/g, '\\$&');
  const after =
    value === undefined ? '' : `:${value.toLowerCase().replaceAll(':', '\\:')}:${valueAction(value, choices)}`;
  return names.map((name) => quoted(`(${names.join(' ')})${name}[${text}]${after}`));
}

function valueAction(value: string, choices: readonly string[]): string {
  if (value === 'FILE') return '_files';
  return choices.length === 0 ? ' ' : `(${choices.join(' ')})`;
}

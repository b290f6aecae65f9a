import type { CommandDeclaration, OptionDeclaration } from '@hubwatch/daemon/declarations';
import { namesOf, quoted, type ShellCommand, shellCommands } from './shell-command.js';

/** Completion script for bash, without dependencies on other packages. */
export function bashCompletion(program: CommandDeclaration): string {
  const commands = shellCommands(program);
  return `# Completion of ${program.name} for bash.
_${program.name}() {
    local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]}
    local command='' candidates='' files='' index
    for ((index = 1; index < COMP_CWORD; index++)); do
        case "$command \${COMP_WORDS[index]}" in
${alternatives(commands)}) command+=" \${COMP_WORDS[index]}" ;;
        esac
    done
    COMPREPLY=()
    case "$command $previous" in
${commands.flatMap(valueCases).join('\n')}
    *)
        case "$command" in
${commands.map(commandCase).join('\n')}
        esac
        ;;
    esac
    if [[ -n $candidates ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$candidates" -- "$current")
    fi
    if [[ -n $files && $current != -* ]]; then
        compopt -o filenames 2>/dev/null
        mapfile -t -O \${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- "$current")
    fi
}
complete -F _${program.name} ${program.name}
`;
}

/** Pattern that matches the words of every command. */
function alternatives(commands: readonly ShellCommand[]): string {
  const paths = commands.filter(({ words }) => words.length > 0).map(({ words }) => quoted(` ${words.join(' ')}`));
  return `        ${paths.join(' | ')}`;
}

/** Cases that complete the value of an option. */
function valueCases({ words, options }: ShellCommand): string[] {
  const before = words.map((word) => ` ${word}`).join('');
  return options
    .filter(({ value }) => value !== undefined)
    .map((option) => {
      const patterns = namesOf(option).map((name) => quoted(`${before} ${name}`));
      return `    ${patterns.join(' | ')}) ${valueOf(option)} ;;`;
    });
}

function valueOf({ value, choices }: OptionDeclaration): string {
  if (value === 'FILE') return 'files=yes';
  return choices.length === 0 ? ':' : `candidates=${quoted(choices.join(' '))}`;
}

function commandCase({ words, options, members, takesFile }: ShellCommand): string {
  const candidates = [...members.map(({ name }) => name), ...options.flatMap(namesOf)].join(' ');
  const command = words.map((word) => ` ${word}`).join('');
  return `        ${quoted(command)}) candidates=${quoted(candidates)}${takesFile ? ' files=yes' : ''} ;;`;
}

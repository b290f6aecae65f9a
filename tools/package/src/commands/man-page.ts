import type { CommandDeclaration, OptionDeclaration } from '@hubwatch/daemon/declarations';

export interface ManPageFacts {
  readonly version: string;
  /** Date of the page, in seconds since 1970. */
  readonly epoch: number;
}

/** Manual page for a program in section 1, in roff format. */
export function manPage(program: CommandDeclaration, { version, epoch }: ManPageFacts): string {
  const { name, description, options, commands, remarks } = program;
  const date = new Date(epoch * 1000).toISOString().slice(0, 10);
  const purpose = description.replace(/\.$/, '');
  return [
    `.TH ${name.toUpperCase()} 1 "${date}" "${name} ${version}" "User Commands"`,
    '.SH NAME',
    `${roff(name)} \\- ${roff(purpose.charAt(0).toLowerCase() + purpose.slice(1))}`,
    '.SH SYNOPSIS',
    `.B ${roff(name)}`,
    '[\\fIoptions\\fR] [\\fIcommand\\fR]',
    '.SH DESCRIPTION',
    text(description),
    '.SH OPTIONS',
    ...options.flatMap(optionLines),
    '.SH COMMANDS',
    ...commands.flatMap((command) => commandLines(command, name)),
    '.SH EXIT STATUS',
    text(remarks),
    '.SH FILES',
    ...files.flatMap(([path, meaning]) => ['.TP', `.I ${roff(path)}`, text(meaning)]),
    '.SH SEE ALSO',
    '.BR systemctl (1),',
    '.BR journalctl (1)',
    '',
  ].join('\n');
}

const files = [
  ['/etc/hubwatch/hubwatch.yml', 'Configuration of the service. The package has an example in its documentation.'],
  ['/var/lib/hubwatch/hubwatch.db', 'Store of the service, unless the configuration names another file.'],
  ['/usr/share/hubwatch/config.schema.json', 'JSON Schema of the configuration, for editors.'],
  ['/usr/share/doc/hubwatch', 'README, example configuration and a page per topic.'],
] as const;

/** Sections of a command and its subcommands, each under its full name. */
function commandLines(command: CommandDeclaration, parent: string): string[] {
  const name = `${parent} ${command.name}`;
  return [
    `.SS "${roff(`${name} ${command.usage}`)}"`,
    text(command.description),
    ...command.arguments.flatMap((argument) => ['.TP', `.I ${roff(argument.name)}`, text(argument.description)]),
    ...command.options.filter(({ long }) => long !== '--help').flatMap(optionLines),
    ...(command.remarks === '' ? [] : ['.PP', text(command.remarks)]),
    ...command.commands.flatMap((member) => commandLines(member, name)),
  ];
}

function optionLines({ flags, description, choices }: OptionDeclaration): string[] {
  const allowed = choices.length === 0 ? '' : ` (one of ${choices.join(', ')})`;
  const marked = roff(flags)
    .replaceAll(/<(.+?)>/g, '\\fI$1\\fR')
    .replaceAll(/(\\-[\w\\-]+)/g, '\\fB$1\\fR');
  return ['.TP', marked, text(`${description}${allowed}`)];
}

/** Formats a paragraph; a line that looks like a roff request is escaped. */
function text(paragraph: string): string {
  return roff(paragraph).replaceAll(/^(?=[.'])/gm, '\\&');
}

/** Escapes characters that roff would interpret. A hyphen-minus stays a hyphen-minus, so that options can be copied. */
function roff(plain: string): string {
  return plain.replaceAll('\\', '\\e').replaceAll('-', '\\-').replaceAll('"', '\\(dq');
}

import { parseArgs } from 'node:util';

import type { Command } from './commands/command.js';
import { suggestion } from './nearest.js';
import type { Config } from './project/config.js';
import { UsageError } from './usage-error.js';

export type Flags = Readonly<Record<string, string | boolean | undefined>>;

/** An option that every command takes. */
interface CommonOption {
  readonly value?: string;
  readonly short?: string;
  readonly does: string;
}

export const commonOptions: Readonly<Record<string, CommonOption>> = {
  config: { value: 'FILE', does: 'configuration file (default: hubwatch-codegen.yml of the nearest folder upwards)' },
  root: { value: 'DIR', does: 'folder of the project instead: its hubwatch-codegen.yml, or the usual places' },
  protos: { value: 'DIR,DIR', does: 'folders with proto files' },
  descriptors: { value: 'FILE', does: 'a FileDescriptorSet instead of proto files; - is standard input' },
  spec: { value: 'DIR', does: 'folder of the interface spec' },
  output: { value: 'DIR', does: 'folder of the generated files' },
  naming: { value: 'FILE', does: 'naming profile' },
  runtime: { value: 'PATH', does: 'what generated files import their codecs from' },
  emitters: { value: 'NAME,NAME', does: 'what is emitted' },
  json: { does: 'one JSON document on standard output instead of text' },
  quiet: { does: 'no progress on standard error' },
  debug: { does: 'the stack of an error too' },
  help: { short: 'h', does: 'this text, or that of one command' },
  version: { short: 'V', does: 'the version of this program' },
};

/**
 * Takes the command line apart.
 *
 * @throws UsageError
 */
export function parseOptions(args: readonly string[], commands: readonly Command[]) {
  const own = commands.flatMap(({ options }) => Object.entries(options));
  const options = Object.fromEntries([
    ...own.map(([name, hasValue]) => [name, { type: hasValue ? 'string' : 'boolean' } as const] as const),
    ...Object.entries(commonOptions).map(([name, { value, short }]) => {
      const type = value === undefined ? ('boolean' as const) : ('string' as const);
      return [name, { type, ...(short !== undefined && { short }) }] as const;
    }),
  ]);
  try {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
    return { flags: values as Flags, positionals };
  } catch (cause) {
    const { message, code } = cause as NodeJS.ErrnoException;
    const name = /'(--?[^' ]+)/.exec(message)?.[1] ?? '';
    if (code !== 'ERR_PARSE_ARGS_UNKNOWN_OPTION') throw new UsageError(message.split('. ')[0] ?? message);
    const known = Object.keys(options).map((option) => `--${option}`);
    throw new UsageError(`${name} is no option${suggestion(name, known)}`);
  }
}

/** @throws UsageError when a command gets what it does not take */
export function checkUsage({ name, takes, options }: Command, args: readonly string[], flags: Flags): void {
  if (takes.length === 0 && args.length > 0) throw new UsageError(`${name} takes options only, not ${args.join(' ')}`);
  if (args.length !== takes.length) {
    throw new UsageError(`${name} takes ${takes.map((each) => each.toUpperCase()).join(' ')}, not "${args.join(' ')}"`);
  }
  const foreign = Object.keys(flags).find((option) => !Object.hasOwn(commonOptions, option) && !(option in options));
  if (foreign === undefined) return;
  const own = Object.keys(options).map((option) => `--${option}`);
  throw new UsageError(
    `${name} does not take --${foreign}; ${own.length > 0 ? `it takes ${own.join(', ')}` : 'it has no options of its own'}`,
  );
}

/** Keys of the configuration that the command line gives. */
export function configOf(flags: Flags): Config {
  const text = (name: string): string | undefined => {
    const value = flags[name];
    if (value === '') throw new UsageError(`--${name} needs a value`);
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
  if (given.protos && given.descriptors !== undefined) {
    throw new UsageError('--protos and --descriptors are two inputs; give one of them');
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

import { parseArgs } from 'node:util';
import { nearestKey } from '../config/nearest-key.js';
import { commandOf, commands, type OptionName, optionKinds } from './commands.js';
import { UsageError } from './usage-error.js';

/** What options gave: text, or that a flag is set. */
export type Options = Readonly<
  Partial<{ [Name in OptionName]: (typeof optionKinds)[Name] extends 'flag' ? boolean : string }>
>;

export interface CommandLine {
  readonly words: readonly string[];
  readonly options: Options;
  readonly wantsHelp: boolean;
  readonly wantsVersion: boolean;
}

const isOption = (name: string): name is OptionName => Object.hasOwn(optionKinds, name);

/**
 * Takes a command line apart. An option that its command does not have is refused: one that is ignored would be believed.
 * @throws UsageError
 */
export const parseCommandLine = (args: readonly string[]): CommandLine => {
  const { tokens } = parseArgs({
    args: [...args],
    allowPositionals: true,
    strict: false,
    tokens: true,
    options: {
      help: { type: 'boolean', short: 'h' },
      version: { type: 'boolean', short: 'V' },
      ...Object.fromEntries(
        Object.entries(optionKinds).map(([name, kind]) => [
          name,
          { type: kind === 'flag' ? ('boolean' as const) : ('string' as const), ...short(name) },
        ]),
      ),
    },
  });
  const words = tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : []));
  const command = commandOf(words);
  const given: Record<string, string | boolean> = {};
  let wantsHelp = false;
  let wantsVersion = false;
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const { name, rawName, value } = token;
    if (name === 'help') {
      wantsHelp = true;
      continue;
    }
    if (name === 'version' && words.length === 0) {
      wantsVersion = true;
      continue;
    }
    if (!isOption(name)) throw new UsageError(`there is no option ${rawName}${hint(name, words)}`);
    const kind = optionKinds[name];
    if (kind === 'flag' && value !== undefined) throw new UsageError(`${rawName} takes no value`);
    // A value that looks like an option is the next one, and this one's was forgotten.
    if (kind !== 'flag' && (value === undefined || value === '' || (!token.inlineValue && value.startsWith('-'))))
      throw new UsageError(`${rawName} needs a value: ${rawName} ${kind}`);
    if (command !== undefined && !allowedOf(command).includes(name))
      throw new UsageError(`${command} takes no option ${rawName}; allowed: ${listed(command)}`);
    given[name] = kind === 'flag' ? true : (value ?? '');
  }
  return { words, options: given, wantsHelp, wantsVersion };
};

const short = (name: string): { readonly short?: string } =>
  name === 'config' ? { short: 'c' } : name === 'verbose' ? { short: 'v' } : {};

const allowedOf = (command: keyof typeof commands): readonly OptionName[] => commands[command].options;

const listed = (command: keyof typeof commands): string => {
  const allowed = allowedOf(command);
  return allowed.length === 0 ? 'none' : allowed.map((name) => `--${name}`).join(', ');
};

const hint = (name: string, words: readonly string[]): string => {
  const command = commandOf(words);
  const allowed = command === undefined ? (Object.keys(optionKinds) as OptionName[]) : allowedOf(command);
  const nearest = nearestKey(name, allowed);
  const meant = nearest === undefined ? '' : `; did you mean --${nearest}?`;
  return command === undefined ? meant : `${meant === '' ? ';' : meant} ${command} allows: ${listed(command)}`;
};

import { InvalidArgumentError, Option } from 'commander';

/** An option with a value. If the value is missing, the next option would be parsed as the value, which is rejected. */
export function valueOption(flags: string, does: string): Option {
  return new Option(flags, does).argParser((text) => {
    // A single - means standard input.
    if (text === '' || text.startsWith('--')) throw new InvalidArgumentError('A value is missing.');
    return text;
  });
}

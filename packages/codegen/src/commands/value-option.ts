import { InvalidArgumentError, Option } from 'commander';

/** An option with a value. One whose value was forgotten takes the next option for it, which is refused. */
export function valueOption(flags: string, does: string): Option {
  return new Option(flags, does).argParser((text) => {
    // A single - is standard input.
    if (text === '' || text.startsWith('--')) throw new InvalidArgumentError('A value is missing.');
    return text;
  });
}

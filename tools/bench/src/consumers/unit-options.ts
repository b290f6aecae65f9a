import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Variables that the shipped unit sets for the daemon. */
export function unitEnvironment(): Readonly<Record<string, string>> {
  const unit = readFileSync(join(import.meta.dirname, '../../../../deploy/hubwatch.service'), 'utf8');
  const lines = [...unit.matchAll(/^Environment=(.+)$/gm)].map(([, line = '']) => line);
  // A setting with blanks is in quotes and alone on its line.
  const settings = lines.flatMap((line) => (line.startsWith('"') ? [line.slice(1, -1)] : line.split(' ')));
  return Object.fromEntries(
    settings.map((setting): [string, string] => [nameOf(setting), setting.replace(/^[^=]*=/, '')]),
  );
}

const nameOf = (setting: string): string => setting.split('=')[0] ?? '';

/** Options of Node with which the shipped unit starts the daemon. @throws Error when it sets none */
export function unitOptions(): readonly string[] {
  const options = unitEnvironment()['NODE_OPTIONS'];
  if (options === undefined) throw new Error('the unit sets no NODE_OPTIONS');
  return options.split(' ');
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Environment variables that the shipped systemd unit sets for the daemon. */
export function unitEnvironment(): Readonly<Record<string, string>> {
  const unit = readFileSync(join(import.meta.dirname, '../../../../deploy/hubwatch.service'), 'utf8');
  const lines = [...unit.matchAll(/^Environment=(.+)$/gm)].map(([, line = '']) => line);
  // A setting with spaces is quoted and on a line of its own.
  const settings = lines.flatMap((line) => (line.startsWith('"') ? [line.slice(1, -1)] : line.split(' ')));
  return Object.fromEntries(
    settings.map((setting): [string, string] => [nameOf(setting), setting.replace(/^[^=]*=/, '')]),
  );
}

const nameOf = (setting: string): string => setting.split('=')[0] ?? '';

/** Node options in the shipped systemd unit. @throws Error if it sets none */
export function unitOptions(): readonly string[] {
  const options = unitEnvironment()['NODE_OPTIONS'];
  if (options === undefined) throw new Error('the unit sets no NODE_OPTIONS');
  return options.split(' ');
}

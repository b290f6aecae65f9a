import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspace } from '@hubwatch/bench/consumers';

/** Lines of the shipped unit to replace, with references to files that only the package installs. */
const replaced = [
  ['Documentation=', 'Documentation=man:hubwatch(1) '],
  ['ExecStart=/usr/bin/env hubwatch ', 'ExecStart=/usr/bin/hubwatch '],
] as const;

/** Adapts the shipped unit to the Debian package. @throws Error if the shipped unit lacks a line to replace */
export function packagedUnit(): string {
  let unit = readFileSync(join(workspace, 'deploy/hubwatch.service'), 'utf8');
  for (const [from, to] of replaced) {
    if (!unit.includes(`\n${from}`)) throw new Error(`deploy/hubwatch.service has no line "${from}…"`);
    unit = unit.replace(`\n${from}`, `\n${to}`);
  }
  return unit;
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Options of Node with which the shipped unit starts the daemon. @throws Error when it sets none */
export function unitOptions(): readonly string[] {
  const unit = readFileSync(join(import.meta.dirname, '../../../../deploy/hubwatch.service'), 'utf8');
  const options = /^Environment="?NODE_OPTIONS=([^"\n]+)"?$/m.exec(unit)?.[1];
  if (options === undefined) throw new Error('the unit sets no NODE_OPTIONS');
  return options.split(' ');
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspace } from '@hubwatch/bench/consumers';

const anyProgram = 'ExecStart=/usr/bin/env hubwatch ';

/** The shipped unit with the packaged program. @throws Error if the shipped unit starts another program */
export function packagedUnit(): string {
  const unit = readFileSync(join(workspace, 'deploy/hubwatch.service'), 'utf8');
  if (!unit.includes(anyProgram)) throw new Error(`deploy/hubwatch.service does not contain "${anyProgram}"`);
  return unit.replace(anyProgram, 'ExecStart=/usr/bin/hubwatch ');
}

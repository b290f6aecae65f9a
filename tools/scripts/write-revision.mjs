// Runs before the daemon is packed, in its folder: writes the commit into dist/, where an installed daemon reads it.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';

let revision = 'unknown';
try {
  revision = execFileSync('git', ['rev-parse', 'HEAD'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
} catch {
  // Packed from a source archive, or without git.
}
writeFileSync('dist/revision.txt', `${revision}\n`);

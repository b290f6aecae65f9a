// Runs before the daemon is packed, in its folder: writes the commit into dist/, where an installed daemon finds it.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';

let revision = 'unknown';
try {
  revision = execFileSync('git', ['rev-parse', 'HEAD'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
} catch {
  // Packed from an archive of the sources, or without git.
}
writeFileSync('dist/revision.txt', `${revision}\n`);

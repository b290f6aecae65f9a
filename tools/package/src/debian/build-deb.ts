import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { must, workspace } from '@hubwatch/bench/consumers';
import type { Architecture } from '../architecture.js';
import { filesIn, normalize, writeTree } from '../files.js';
import { controlText, type DebianFacts } from './control.js';

const scripts = join(workspace, 'deploy/debian');

/**
 * Builds a Debian package from the file tree to install.
 * @param epoch time of all files, in seconds since 1970
 */
export async function buildDeb(
  tree: string,
  target: string,
  { facts, architecture, epoch }: { facts: DebianFacts; architecture: Architecture; epoch: number },
): Promise<void> {
  const control = controlText(facts, architecture, tree);
  const sums = filesIn(tree).map((path) => `${md5(join(tree, path))}  ${path}\n`);
  writeTree(tree, 'DEBIAN/control', control);
  writeTree(tree, 'DEBIAN/md5sums', sums.join(''));
  for (const name of readdirSync(scripts)) {
    writeTree(tree, `DEBIAN/${name}`, readFileSync(join(scripts, name)), 0o755);
  }
  normalize(tree, epoch);
  // dpkg reads zstd since Debian 12; xz takes twenty times as long for a package that is a fifth smaller. One thread, because
  // the output depends on the number of threads.
  const compression = ['-Zzstd', '-z9', '--threads-max=1'];
  const time = `SOURCE_DATE_EPOCH=${epoch}`;
  await must('env', [time, 'dpkg-deb', '--root-owner-group', ...compression, '--build', tree, target], workspace);
}

function md5(file: string): string {
  return createHash('md5').update(readFileSync(file)).digest('hex');
}

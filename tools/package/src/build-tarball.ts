import { basename } from 'node:path';
import { must } from '@hubwatch/bench/consumers';
import { normalize } from './files.js';

/**
 * Builds a tarball that contains one folder, named like the tarball.
 * @param tree content of the folder
 * @param epoch time of all files, in seconds since 1970
 */
export async function buildTarball(tree: string, target: string, epoch: number): Promise<void> {
  normalize(tree, epoch);
  const owner = ['--owner=0', '--group=0', '--numeric-owner'];
  const fixed = ['--sort=name', '--format=gnu', ...owner, `--transform=s,^[.],${basename(target, '.tar.gz')},`];
  await must('tar', [...fixed, '--use-compress-program=gzip -n', '-cf', target, '.'], tree);
}

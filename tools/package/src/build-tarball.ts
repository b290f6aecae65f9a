import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { must } from '@hubwatch/bench/consumers';
import { normalize } from './files.js';

/**
 * Builds a tarball with one folder, which has the name of the tarball.
 * @param epoch time of all files, in seconds since 1970
 */
export async function buildTarball(tree: string, target: string, epoch: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'hubwatch-tarball-'));
  const name = basename(target, '.tar.gz');
  try {
    cpSync(tree, join(folder, name), { recursive: true });
    normalize(folder, epoch);
    const owner = ['--owner=0', '--group=0', '--numeric-owner'];
    const fixed = ['--sort=name', '--format=gnu', `--mtime=@${epoch}`, ...owner];
    await must('tar', [...fixed, '--use-compress-program=gzip -n', '-cf', target, name], folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

import { chmodSync, lstatSync, lutimesSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** Writes a file and creates its parent folders. */
export function writeTree(folder: string, path: string, content: string | Buffer, mode = 0o644): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  chmodSync(file, mode);
}

/** Compresses as Debian's policy requires: best compression, without name and time. */
export function zipped(content: string): Buffer {
  return gzipSync(content, { level: 9 });
}

/** Paths of all files below a folder, relative to it and sorted. */
export function filesIn(folder: string): string[] {
  return entriesIn(folder).filter((path) => lstatSync(join(folder, path)).isFile());
}

/**
 * Sets the same modes and times in every build: 755 for folders and programs, 644 for other files.
 * @param epoch seconds since 1970
 */
export function normalize(folder: string, epoch: number): void {
  for (const path of ['.', ...entriesIn(folder)].reverse()) {
    const entry = join(folder, path);
    const stat = lstatSync(entry);
    if (!stat.isSymbolicLink()) chmodSync(entry, stat.isDirectory() || (stat.mode & 0o100) !== 0 ? 0o755 : 0o644);
    lutimesSync(entry, epoch, epoch);
  }
}

function entriesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
}

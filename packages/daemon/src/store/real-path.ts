import { existsSync, lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** Resolves symbolic links in a path, even if the last link leads to a file that does not exist yet. */
export function realPathOf(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  const folder = dirname(resolve(path));
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  if (isLink) return realPathOf(resolve(folder, readlinkSync(path)));
  return existsSync(folder) ? join(realpathSync(folder), basename(path)) : path;
}

import { statSync } from 'node:fs';
import type { Found } from './problem.js';
import { listMember } from './repeated-names.js';

/** A path that cannot be a store. */
export const unusableStore = (written: unknown): readonly Found[] => {
  const path = listMember(listMember(written, 'store'), 'path');
  if (typeof path !== 'string') return [];
  const fault = (message: string): readonly Found[] => [{ path: ['store', 'path'], message }];
  if (/^[a-z][a-z\d+.-]*:\/\/|^(?:file|sqlite|libsql):/i.test(path))
    return fault('is a URL; expected the path of a file, such as hubwatch.db');
  if (/[/\\]$/.test(path) || isFolder(path)) return fault('is a folder; expected the path of a file in it');
  return [];
};

const isFolder = (path: string): boolean => {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    // A part of the path is a file or not accessible: the daemon reports it when it opens the store.
    return false;
  }
};

import { open } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Resolves when the content of a file is on disk. */
export function syncFile(path: string): Promise<void> {
  return sync(path, 'r+');
}

/** Resolves when the name of a file is on disk, for example the new name after a rename. */
export function syncFolderOf(path: string): Promise<void> {
  return sync(dirname(path), 'r');
}

async function sync(path: string, flags: string): Promise<void> {
  const handle = await open(path, flags);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

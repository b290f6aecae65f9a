import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folder of the recordings, next to `src` and `dist`. */
export const recordingsFolder = fileURLToPath(new URL('../recordings/', import.meta.url));

/** Folder of a recorded chain by name or path. @throws Error that lists the valid names. */
export function chainFolder(chain: string): string {
  const folder = isAbsolute(chain) || chain.startsWith('.') ? chain : join(recordingsFolder, chain);
  if (!existsSync(join(folder, 'blocks.jsonl.gz'))) {
    throw new Error(
      `chain ${chain}: no blocks.jsonl.gz in ${folder}; allowed are day, chain, or the path of such a folder`,
    );
  }
  return folder;
}

import { join } from 'node:path';
import type { Architecture } from '../architecture.js';
import { elfMachine } from '../elf.js';
import { filesIn } from '../files.js';

/** Lists the native files in a folder. @throws Error if one of them is for another architecture */
export function nativeFiles(folder: string, { debian, elfMachine: expected }: Architecture): string[] {
  return filesIn(folder).filter((path) => {
    const machine = elfMachine(join(folder, path));
    if (machine !== undefined && machine !== expected) {
      throw new Error(`${path} is for ELF machine ${machine}, not for ${debian} (${expected})`);
    }
    return machine !== undefined;
  });
}

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import type { EmittedFile } from './emit/emitter.js';

export async function writeIfChanged(folder: string, files: readonly EmittedFile[]): Promise<void> {
  for (const file of files) {
    const path = join(folder, file.path);
    const old = await readFile(path, 'utf8').catch(() => undefined);
    if (old === file.text) continue;
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, file.text);
  }
}

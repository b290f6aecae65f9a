import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Writes `SHA256SUMS` for files in a folder, in the format that `sha256sum --check` reads. */
export function writeChecksums(folder: string, names: readonly string[]): void {
  const lines = names.toSorted().map((name) => `${sha256(join(folder, name))}  ${name}\n`);
  writeFileSync(join(folder, 'SHA256SUMS'), lines.join(''));
}

function sha256(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

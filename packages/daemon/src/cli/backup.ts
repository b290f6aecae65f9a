import type { Config } from '../config/schema.js';
import { backupStore } from '../store/backup.js';
import { byteText } from './byte-text.js';
import { UsageError } from './usage-error.js';
import { requireStore } from './with-store.js';

/** Options of `hubwatch backup`. */
export interface BackupArguments {
  readonly out?: string | undefined;
  readonly force?: boolean | undefined;
}

/** Writes a backup of the store. The daemon may be running. @returns the text to print */
export async function backupCommand({ store }: Config, { out, force = false }: BackupArguments): Promise<string> {
  if (out === undefined) throw new UsageError('backup needs --out FILE');
  requireStore(store.path);
  const { bytes, version } = await backupStore(store.path, out, { isForced: force });
  return `${out}: ${byteText(bytes)}, schema version ${version}, checked\n`;
}

import type { Config } from '../config/schema.js';
import { migrations } from '../store/migrations.js';
import { restoreStore } from '../store/restore.js';
import { byteText } from './byte-text.js';

/** Replaces the store with a backup. @returns the text to print */
export async function restoreCommand({ store, network }: Config, file: string, nowMs: number): Promise<string> {
  const options = { chainId: network.chain_id, nowMs };
  const { bytes, version, replaced } = await restoreStore(store.path, file, options);
  const isOld = version < migrations.length;
  const lines = [
    `${store.path}: restored from ${file}, ${byteText(bytes)}, schema version ${version}`,
    ...(isOld ? [`The next start of the daemon migrates it to version ${migrations.length}.`] : []),
    replaced === undefined ? 'There was no store before.' : `The replaced store is ${replaced}`,
  ];
  return `${lines.join('\n')}\n`;
}

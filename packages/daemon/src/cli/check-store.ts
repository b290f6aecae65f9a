import type { Config } from '../config/schema.js';
import { migrations } from '../store/migrations.js';
import { reportStore, type StoreReport } from '../store/store-report.js';
import { oneLine } from '../words.js';
import { byteText } from './byte-text.js';
import { type Cells, textTable } from './text-table.js';
import { requireStore } from './with-store.js';

/** Options of `hubwatch check-store`. */
export interface CheckStoreArguments {
  readonly json?: boolean | undefined;
}

/** Checks the configured store, or a backup. */
export function checkStore(
  config: Config | undefined,
  file: string | undefined,
  { json = false }: CheckStoreArguments,
): { readonly text: string; readonly isFailure: boolean } {
  if (file === undefined && config !== undefined) requireStore(config.store.path);
  const report = reportStore(file ?? config?.store.path ?? '', { isLive: file === undefined });
  const chain = config?.network.chain_id;
  const isOther = chain !== undefined && report.chain !== undefined && report.chain !== chain;
  const faults = isOther
    ? [...report.faults, `belongs to chain ${report.chain}, but network.chain_id is ${chain}`]
    : report.faults;
  const checked = { ...report, faults };
  return { text: json ? jsonOf(checked) : textOf(checked), isFailure: faults.length > 0 };
}

function jsonOf({ path, faults, version, chain, bytes, freeBytes, tables }: StoreReport): string {
  const report = {
    path,
    ok: faults.length === 0,
    faults,
    schema_version: version ?? null,
    newest_schema_version: migrations.length,
    chain: chain ?? null,
    bytes,
    free_bytes: freeBytes,
    tables,
  };
  return `${JSON.stringify(report, undefined, 2)}\n`;
}

function textOf({ path, faults, version, chain, bytes, freeBytes, tables }: StoreReport): string {
  const facts: readonly Cells[] = [
    ['schema version', versionText(version)],
    ['chain', oneLine(chain ?? 'none yet')],
    ['size', `${byteText(bytes)}${freeBytes > 0 ? `, ${byteText(freeBytes)} of it free` : ''}`],
  ];
  const rows = tables.map(({ name, rows: count, bytes: size }) => [name, String(count), byteText(size)]);
  return [
    `${path}: ${faults.length === 0 ? 'ok' : 'not ok'}`,
    ...faults.map((fault) => `  ${oneLine(fault, 400)}`),
    textTable(facts),
    ...(rows.length === 0 ? [] : ['', textTable([['table', 'rows', 'size'], ...rows])]),
    '',
  ].join('\n');
}

function versionText(version: number | undefined): string {
  if (version === undefined) return 'unknown';
  if (version < migrations.length)
    return `${version}, migrated to ${migrations.length} by the next start of the daemon`;
  return String(version);
}

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config/schema.js';
import { defaultConfig, docsUrl, type FileName, prometheusFiles } from '../prometheus/index.js';

export interface ExportRulesOptions {
  readonly out?: string | undefined;
  readonly file: FileName;
  readonly docs?: string | undefined;
}

/** Output streams; warnings go to `error`. */
interface Printer {
  out(text: string): void;
  error(text: string): void;
}

/** Writes the files for Prometheus and Alertmanager into a folder, or prints one of them. */
export const exportRules = (
  config: Config | undefined,
  { out, file, docs }: ExportRulesOptions,
  nowMs: number,
  printer: Printer,
): void => {
  const url = docs?.replace(/\/+$/, '') ?? docsUrl();
  if (url === undefined) printer.error(`${noLinks}\n`);
  const files = prometheusFiles(config ?? defaultConfig(), { docsUrl: url, nowMs });
  if (out === undefined) {
    printer.out(files.get(file) ?? '');
    return;
  }
  mkdirSync(out, { recursive: true });
  for (const [name, text] of files) {
    writeFileSync(join(out, name), text);
    printer.out(`wrote ${join(out, name)}\n`);
  }
};

const noLinks = 'warning: alerts have no runbook_url: this package names no repository; --docs URL sets it';

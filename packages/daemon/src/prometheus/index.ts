import { parseConfig } from '../config/load.js';
import type { Config } from '../config/schema.js';
import { alertmanagerFile } from './alertmanager-file.js';
import { exportedFiles } from './file-names.js';
import { type RulesOptions, rulesFile } from './rules-file.js';
import { scrapeFile } from './scrape-file.js';

export type { PrometheusAlert } from './alert.js';
export { allAlerts, ownAlerts, ruleAlerts } from './all-alerts.js';
export { docsUrl } from './docs-url.js';
export { promqlTokens } from './promql-text.js';
export { exprOf, recordings } from './rules-file.js';

export type FileName = (typeof exportedFiles)[keyof typeof exportedFiles];

/** Default values of all settings that rules depend on. The endpoint address is a placeholder. */
export const defaultConfig = (): Config =>
  parseConfig('endpoints: [{name: own, role: own, rpc: "http://127.0.0.1:26657"}]');

/** Files for Prometheus and Alertmanager: name → text. */
export const prometheusFiles = (config: Config, options: RulesOptions): ReadonlyMap<FileName, string> =>
  new Map([
    [exportedFiles.rules, rulesFile(config, options)],
    [exportedFiles.alertmanager, alertmanagerFile(config)],
    [exportedFiles.scrape, scrapeFile(config)],
  ]);

import { type LoadedConfig, loadWithWarnings } from '../config/load.js';
import type { Config } from '../config/schema.js';
import { configuredChannels, configuredMirrors } from '../notifiers/index.js';
import { unknownRules } from '../rules/evaluate.js';
import { rules } from '../rules/index.js';

/** Reads a configuration, with its warnings. @throws ConfigError */
export const loadFile = (file: string): LoadedConfig => loadWithWarnings(file, unknownRules(rules));

/** Reads a configuration. @throws ConfigError */
export const readConfig = (file: string): Config => loadFile(file).config;

/** One-line summary of the watched subjects and notified channels. */
export const summaryOf = (config: Config): string => {
  const { endpoints, watch } = config;
  const routes = [...configuredChannels(config), ...configuredMirrors(config)].map(({ name }) => name);
  return `Endpoints: ${endpoints.length}, nodes: ${watch.nodes.length}, providers: ${watch.providers.length}, accounts: ${watch.accounts.length}, notices: ${
    routes.length === 0 ? 'none' : routes.join(', ')
  }`;
};

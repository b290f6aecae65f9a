import { hostname } from 'node:os';
import type { Config } from '../config/schema.js';
import type { Channel } from '../outbox/channel.js';
import type { Mirror } from '../outbox/mirror.js';
import * as list from './list.js';
import type { Notifier } from './notifier.js';
import type { NoticeOrigin } from './plain-text.js';

/** Every notifier with its part of the configuration. */
const configured = ({ notifiers }: Config): readonly (readonly [Notifier, never])[] =>
  Object.entries(list).map(([key, notifier]) => [notifier, notifiers[key as keyof typeof list] as never]);

/**
 * Channels in use. An Alertmanager is the only route unless configured otherwise, because it routes alerts by its own rules.
 */
export const configuredChannels = (config: Config): readonly Channel[] => {
  if (config.notifiers.alertmanager?.only_route === true) return [];
  return configured(config).flatMap(([notifier, settings]) => notifier.channels?.(settings, originOf(config)) ?? []);
};

/** Receivers that get the full set of firing alerts at every interval. */
export const configuredMirrors = (config: Config): readonly Mirror[] =>
  configured(config).flatMap(([notifier, settings]) => notifier.mirrors?.(settings, originOf(config)) ?? []);

const originOf = ({ alerts, network }: Config): NoticeOrigin => ({
  monitor: alerts.monitor ?? hostname(),
  statusPage: alerts.external_url,
  network: network.name ?? network.chain_id,
});

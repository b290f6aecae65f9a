import { hostname } from 'node:os';
import type { Config } from '../config/schema.js';
import type { Channel } from '../outbox/channel.js';
import type { Mirror } from '../outbox/mirror.js';
import { createAlertmanagerMirror } from './alertmanager.js';
import { createEmailChannel } from './email.js';
import type { NoticeOrigin } from './plain-text.js';
import { createTelegramChannel } from './telegram.js';
import { createWebhookChannel } from './webhook.js';

/** Creates channels from its part of the configuration; none if that part is missing. */
type Notifier = (config: Config['notifiers'], origin: NoticeOrigin) => readonly Channel[];

const optional =
  <C>(make: (config: C, origin: NoticeOrigin) => Channel) =>
  (config: C | undefined, origin: NoticeOrigin): readonly Channel[] =>
    config === undefined ? [] : [make(config, origin)];

/** All notifiers. */
export const notifiers: readonly Notifier[] = [
  ({ email }, origin) => optional(createEmailChannel)(email, origin),
  ({ telegram }, origin) => optional(createTelegramChannel)(telegram, origin),
  ({ webhooks }, origin) => webhooks.map((webhook) => createWebhookChannel(webhook, origin)),
];

/**
 * Channels in use. An Alertmanager is the only route unless configured otherwise, because it routes alerts by its own rules.
 */
export const configuredChannels = (config: Config): readonly Channel[] => {
  if (config.notifiers.alertmanager?.only_route === true) return [];
  return notifiers.flatMap((notifier) => notifier(config.notifiers, originOf(config)));
};

/** Receivers that get the full set of firing alerts at every interval. */
export const configuredMirrors = (config: Config): readonly Mirror[] => {
  const {
    notifiers: { alertmanager },
    network,
  } = config;
  return alertmanager === undefined
    ? []
    : [createAlertmanagerMirror(alertmanager, network.name ?? network.chain_id, originOf(config))];
};

const originOf = ({ alerts }: Config): NoticeOrigin => ({
  monitor: alerts.monitor ?? hostname(),
  statusPage: alerts.external_url,
});

import { hostname } from 'node:os';
import type { Config } from '../config/schema.js';
import type { Channel } from '../outbox/channel.js';
import type { Mirror } from '../outbox/mirror.js';
import { createAlertmanagerMirror } from './alertmanager.js';
import { createEmailChannel } from './email.js';
import type { NoticeOrigin } from './plain-text.js';
import { createTelegramChannel } from './telegram.js';
import { createWebhookChannel } from './webhook.js';

/** Makes channels of the part of the configuration that is its own; none when that is not there. */
type Notifier = (config: Config['notifiers'], origin: NoticeOrigin) => readonly Channel[];

const optional =
  <C>(make: (config: C, origin: NoticeOrigin) => Channel) =>
  (config: C | undefined, origin: NoticeOrigin): readonly Channel[] =>
    config === undefined ? [] : [make(config, origin)];

/** Every notifier there is. */
export const notifiers: readonly Notifier[] = [
  ({ email }, origin) => optional(createEmailChannel)(email, origin),
  ({ telegram }, origin) => optional(createTelegramChannel)(telegram, origin),
  ({ webhooks }, origin) => webhooks.map((webhook) => createWebhookChannel(webhook, origin)),
];

/** Channels in use. An Alertmanager is the only route unless it is told otherwise: it sends on by its own rules. */
export const configuredChannels = (config: Config): readonly Channel[] => {
  if (config.notifiers.alertmanager?.only_route === true) return [];
  return notifiers.flatMap((notifier) => notifier(config.notifiers, originOf(config)));
};

/** Services that are shown what fires as long as it does. */
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

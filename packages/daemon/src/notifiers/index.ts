import type { Config } from '../config/schema.js';
import type { Channel } from '../outbox/channel.js';
import { createEmailChannel } from './email.js';

/** Makes a channel when its part of the configuration is there. */
type Notifier = (config: Config) => Channel | undefined;

/** Every notifier there is. */
export const notifiers: readonly Notifier[] = [
  ({ notifiers: { email }, alerts }) => email && createEmailChannel(email, alerts.external_url),
];

export const configuredChannels = (config: Config): readonly Channel[] =>
  notifiers.flatMap((notifier) => notifier(config) ?? []);

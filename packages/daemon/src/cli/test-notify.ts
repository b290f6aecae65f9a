import { randomUUID } from 'node:crypto';
import type { Config } from '../config/schema.js';
import { configuredChannels } from '../notifiers/index.js';
import type { Attempt } from '../outbox/channel.js';
import { DeliveryError, deliveryReasons } from '../outbox/delivery-error.js';

/**
 * Sends one test notice to every recipient of every channel, bypassing the outbox. Resolves to whether all were
 * accepted. Prints a line for each recipient, with the remedy for those that failed.
 */
export const testNotify = async (config: Config, nowMs: number, print: (line: string) => void): Promise<boolean> => {
  const channels = configuredChannels(config);
  if (channels.length === 0) {
    print(
      config.notifiers.alertmanager === undefined
        ? 'no notifier is configured: no notices are sent'
        : 'the Alertmanager is the only route, and is shown real alerts only: look at its own page',
    );
    return false;
  }
  const id = randomUUID();
  const results = await Promise.all(
    channels.flatMap((channel) =>
      channel.recipients.map(async (recipient) => {
        const whom = recipient === '' ? channel.name : `${channel.name} to ${recipient}`;
        try {
          await channel.send(attempt(id, recipient, nowMs));
          print(`${whom}: accepted`);
          return true;
        } catch (error) {
          print(`${whom}: ${why(error)}`);
          return false;
        }
      }),
    ),
  );
  for (const channel of channels) channel.close();
  return results.every((accepted) => accepted);
};

const attempt = (id: string, recipient: string, atMs: number): Attempt => ({
  recipient,
  isShort: false,
  delivery: {
    id,
    threadId: id,
    kind: 'firing',
    rule: 'Test',
    severity: 'info',
    title: 'hubwatch: a test notice',
    text: 'Somebody ran hubwatch test-notify. Nothing is wrong.',
    members: [],
    atMs,
  },
});

const why = (error: unknown): string => {
  if (!(error instanceof DeliveryError)) return String(error);
  const { means, advice } = deliveryReasons[error.reason];
  return `${means} (${error.reason}): ${error.message}. ${advice}`;
};

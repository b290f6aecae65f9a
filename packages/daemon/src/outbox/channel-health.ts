import type { Clock } from '@hubwatch/client';
import type { FailureLog } from '../log.js';
import type { OwnMetrics } from '../own-metrics.js';
import type { Channel } from './channel.js';
import type { DeliveryError, DeliveryReason } from './delivery-error.js';

/** Problem that prevents all deliveries to some recipients. */
export interface Failing {
  readonly reason: DeliveryReason;
  /** Daemon's clock at the first failure since the last success, in milliseconds. */
  readonly sinceMs: number;
  /** Number of unreachable recipients. */
  readonly recipients: number;
  readonly of: number;
}

/**
 * Whether a channel works, according to its last attempts. A notice that is refused because of its content gives no information
 * about the channel.
 */
export interface ChannelHealth {
  readonly failing: Failing | undefined;
  accepted(recipient: string): void;
  failed(recipient: string, failure: DeliveryError): void;
}

export interface ChannelHealthParts {
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly own: OwnMetrics;
  readonly failures: FailureLog;
}

const everyone = Symbol('everyone');

export const createChannelHealth = (
  { name, recipients }: Pick<Channel, 'name' | 'recipients'>,
  { clock, own, failures }: ChannelHealthParts,
): ChannelHealth => {
  const failing = new Map<string | typeof everyone, { readonly reason: DeliveryReason; readonly sinceMs: number }>();
  const logKey = (whom: string | typeof everyone): string =>
    whom === everyone || whom === '' ? `channel ${name}` : `channel ${name} to ${whom}`;
  const gauge = (): void => own.channelFailing.set({ channel: name }, failing.size === 0 ? 0 : 1);
  gauge();
  const worked = (whom: string | typeof everyone): void => {
    failing.delete(whom);
    failures.worked(logKey(whom));
  };
  return {
    get failing() {
      const [first] = [...failing.values()].toSorted((a, b) => a.sinceMs - b.sinceMs);
      if (first === undefined) return undefined;
      return { ...first, recipients: failing.has(everyone) ? recipients.length : failing.size, of: recipients.length };
    },
    accepted(recipient) {
      worked(everyone);
      worked(recipient);
      gauge();
    },
    failed(recipient, { reason, scope, message }) {
      if (scope === 'notice') return;
      const whom = scope === 'channel' ? everyone : recipient;
      // The server responded: the problem of the whole channel is over.
      if (scope === 'recipient') worked(everyone);
      failing.set(whom, { reason, sinceMs: failing.get(whom)?.sinceMs ?? clock.nowMs() });
      failures.failed(logKey(whom), `${reason}: ${message}`, reason);
      gauge();
    },
  };
};

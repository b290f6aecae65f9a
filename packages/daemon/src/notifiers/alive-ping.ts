import { type Clock, pause } from '@hubwatch/client';
import { z } from 'zod';
import { duration, httpUrl } from '../config/scalars.js';
import { env, file, needsUrl } from '../config/secret-fields.js';
import type { FailureLog } from '../log.js';
import { DeliveryError } from '../outbox/delivery-error.js';
import type { OwnMetrics } from '../own-metrics.js';
import { get, requireSuccess } from './http-post.js';
import { secretOf } from './secret-of.js';

export const alive = z
  .strictObject({
    url: httpUrl.optional().describe('URL that is requested with GET.'),
    url_file: file('the URL, where it is a secret'),
    url_env: env('the URL, where it is a secret'),
    every: duration({ min: '10s', max: '1h' }).prefault('1m').describe('Time from one ping to the next.'),
  })
  .refine(needsUrl.check, needsUrl.options)
  .describe(
    "Regular ping while the scheduler runs, for a dead man's switch. Needs one of `url`, `url_file` and `url_env`.",
  );

export type AliveConfig = z.output<typeof alive>;

export interface AlivePingParts {
  readonly clock: Clock;
  readonly own: OwnMetrics;
  readonly failures: FailureLog;
  /** Monotonic time of the last stored round of evaluation, in milliseconds. */
  readonly lastRoundMs: () => number | undefined;
  /** Age of that round from which the daemon does not count as alive. */
  readonly staleMs: number;
}

/**
 * Requests an address repeatedly while polls lead to rounds of evaluation and the store saves them. The service at this address
 * alerts people when the requests stop, which the daemon itself cannot do.
 */
export const startAlivePing = (config: AliveConfig, parts: AlivePingParts): { stop(): Promise<void> } => {
  const { clock, own, failures, lastRoundMs, staleMs } = parts;
  const stopping = new AbortController();

  const ping = async (): Promise<void> => {
    const last = lastRoundMs();
    if (last === undefined || clock.monotonicMs() - last > staleMs) {
      own.alivePingsWithheld.inc({ reason: last === undefined ? 'starting' : 'stale' });
      if (last !== undefined) failures.failed('sign of life', 'withheld: no round of judgement was kept for too long');
      return;
    }
    try {
      const url = config.url ?? secretOf({ file: config.url_file, env: config.url_env }) ?? '';
      const secrets = URL.canParse(url) ? [url, new URL(url).pathname] : [url];
      requireSuccess(
        await get(url),
        secrets.filter((secret) => secret !== '/'),
      );
      own.alivePings.inc();
      failures.worked('sign of life');
    } catch (error) {
      const { reason, message } =
        error instanceof DeliveryError ? error : { reason: 'other', message: 'the address cannot be asked' };
      own.alivePingsWithheld.inc({ reason: 'failed' });
      failures.failed('sign of life', `${reason}: ${message}`, reason);
    }
  };

  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await ping();
      await pause(clock, config.every, stopping.signal);
    }
  };
  const ended = loop();
  return {
    async stop() {
      stopping.abort();
      const patience = new AbortController();
      await Promise.race([ended, pause(clock, 500, patience.signal)]);
      patience.abort();
    },
  };
};

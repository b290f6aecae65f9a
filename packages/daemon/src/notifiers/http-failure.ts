import { type ErrorCode, networkFailure } from '@hubwatch/client';
import { DeliveryError, type DeliveryReason, type Scope } from '../outbox/delivery-error.js';
import { oneLine } from './plain-text.js';

type Judgement = readonly [reason: DeliveryReason, scope: Scope];

/** Meaning of an error status for the notice, if the service does not provide more details. */
export const judgeStatus = (status: number): Judgement => {
  if (status === 401 || status === 403 || status === 407) return ['auth', 'channel'];
  if (status === 404 || status === 405 || status === 410) return ['recipient', 'channel'];
  if (status === 413) return ['too_large', 'notice'];
  if (status === 429) return ['rate_limited', 'channel'];
  if (status === 408 || status === 425 || status >= 500) return ['temporary', 'channel'];
  // A redirect is not followed, because this would send the secret to another address.
  if (status >= 300 && status < 400) return ['config', 'channel'];
  return status >= 400 ? ['content', 'notice'] : ['other', 'channel'];
};

const reasonByCode: Partial<Record<ErrorCode, DeliveryReason>> = { timeout: 'timeout', tls: 'tls' };

/** Meaning of a missing response. The text contains no address, because the address may contain a secret. */
export const deliveryFailure = (error: unknown, isOver: boolean): DeliveryError => {
  if (isOver) return new DeliveryError('no answer in time', { reason: 'timeout', scope: 'channel', cause: error });
  const { code, text } = networkFailure(error);
  return new DeliveryError(oneLine(text), {
    reason: reasonByCode[code] ?? 'unreachable',
    scope: 'channel',
    cause: error,
  });
};

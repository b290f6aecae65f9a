import { DeliveryError, type DeliveryReason, type Scope } from '../outbox/delivery-error.js';
import { oneLine } from './plain-text.js';

type Judgement = readonly [reason: DeliveryReason, scope: Scope];

/** What a status that is not a success means for the notice, where the service does not say more. */
export const judgeStatus = (status: number): Judgement => {
  if (status === 401 || status === 403 || status === 407) return ['auth', 'channel'];
  if (status === 404 || status === 405 || status === 410) return ['recipient', 'channel'];
  if (status === 413) return ['too_large', 'notice'];
  if (status === 429) return ['rate_limited', 'channel'];
  if (status === 408 || status === 425 || status >= 500) return ['temporary', 'channel'];
  // A redirect is not followed: it would carry the secret to another place.
  if (status >= 300 && status < 400) return ['config', 'channel'];
  return status >= 400 ? ['content', 'notice'] : ['other', 'channel'];
};

/** `Retry-After` in milliseconds: seconds or a date. */
export const retryAfterMs = (header: string | null, nowMs: number): number | undefined => {
  if (header === null) return undefined;
  const ms = /^\d+$/.test(header.trim()) ? Number(header) * 1_000 : Date.parse(header) - nowMs;
  return Number.isFinite(ms) && ms > 0 ? ms : undefined;
};

const reasonByCode: Readonly<Record<string, DeliveryReason>> = {
  ECONNREFUSED: 'unreachable',
  ECONNRESET: 'unreachable',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  ENOTFOUND: 'unreachable',
  EAI_AGAIN: 'unreachable',
  UND_ERR_SOCKET: 'unreachable',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  EPROTO: 'tls',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'tls',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'tls',
};

/** What it means that no answer came. The text names no address: it may hold a secret. */
export const networkFailure = (error: unknown): DeliveryError => {
  const { name, cause } = error as Error;
  if (name === 'TimeoutError')
    return new DeliveryError('no answer in time', { reason: 'timeout', scope: 'channel', cause: error });
  const { code = '', message } = (cause ?? error) as NodeJS.ErrnoException;
  const isTls = /^(?:CERT_|DEPTH_ZERO|SELF_SIGNED|ERR_TLS|ERR_SSL)/.test(code);
  return new DeliveryError(oneLine(`${code === '' ? 'no connection' : code}: ${message}`), {
    reason: isTls ? 'tls' : (reasonByCode[code] ?? 'unreachable'),
    scope: 'channel',
    cause: error,
  });
};

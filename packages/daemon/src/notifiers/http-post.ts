import { readRetryAfter, sharedBudget, startTimeout } from '@hubwatch/client';
import { DeliveryError } from '../outbox/delivery-error.js';
import { version } from '../version.js';
import { deliveryFailure, judgeStatus } from './http-failure.js';
import { oneLine } from './plain-text.js';

const answerMs = 15_000;
/** Maximum number of response bytes that are read: enough for the reason of a failure. */
const answerBytes = 8_192;

export interface PostAnswer {
  readonly status: number;
  readonly text: string;
  readonly waitMs: number | undefined;
}

/**
 * Sends a body and reads the beginning of the response, regardless of its status. @throws DeliveryError if there is no response
 */
export const post = (url: string, body: string, headers: Readonly<Record<string, string>>): Promise<PostAnswer> =>
  request(url, { method: 'POST', body, headers });

/**
 * Requests an address and reads the beginning of the response, regardless of its status. @throws DeliveryError if there is no
 * response
 */
export const get = (url: string): Promise<PostAnswer> => request(url, { method: 'GET', headers: {} });

interface Asked {
  readonly method: 'GET' | 'POST';
  readonly body?: string;
  readonly headers: Readonly<Record<string, string>>;
}

const request = async (url: string, { headers, ...asked }: Asked): Promise<PostAnswer> => {
  requireUrl(url);
  const timeout = startTimeout(answerMs);
  try {
    const response = await fetch(url, {
      ...asked,
      headers: { 'User-Agent': `hubwatch/${version}`, ...headers },
      redirect: 'manual',
      signal: timeout.signal,
    });
    const text = await beginning(response, timeout.signal);
    const waitMs = readRetryAfter(response.headers.get('retry-after') ?? undefined, Date.now());
    return { status: response.status, text, waitMs };
  } catch (error) {
    throw deliveryFailure(error, timeout.isOver());
  } finally {
    timeout.clear();
  }
};

/**
 * Checks a URL first, because Node's error messages about invalid URLs repeat the URL. @throws DeliveryError without the URL
 */
const requireUrl = (url: string): void => {
  const { protocol, username, password } = URL.canParse(url)
    ? new URL(url)
    : { protocol: '', username: '', password: '' };
  const isPlain = /^https?:$/.test(protocol) && username === '' && password === '';
  if (!isPlain)
    throw new DeliveryError('the address is not an http:// or https:// URL without a user and password', {
      reason: 'config',
      scope: 'channel',
    });
};

/** @throws DeliveryError unless the status is a success. Its text never contains one of `secrets`. */
export const requireSuccess = ({ status, text, waitMs }: PostAnswer, secrets: readonly string[] = []): void => {
  if (status >= 200 && status < 300) return;
  const [reason, scope] = judgeStatus(status);
  throw new DeliveryError(`HTTP ${status}: ${redact(text, secrets)}`, { reason, scope, waitMs });
};

/** Text of a response on one line, without our secrets, which some services repeat. */
export const redact = (text: string, secrets: readonly string[]): string =>
  oneLine(secrets.reduce((left, secret) => (secret === '' ? left : left.replaceAll(secret, '…')), text));

const beginning = async ({ body }: Response, signal: AbortSignal): Promise<string> => {
  if (body === null) return '';
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  // Done here and not by fetch: in Node 20, a compressed body never ends if its request is aborted while it is read.
  const stop = (): void => void reader.cancel().catch(() => undefined);
  signal.addEventListener('abort', stop, { once: true });
  const held = sharedBudget.open(2 * answerBytes, stop);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    while (bytes < answerBytes) {
      const { done, value } = await reader.read();
      if (done) break;
      bytes += value.length;
      chunks.push(value);
      if (held.add(value.length) !== undefined) break;
    }
    signal.throwIfAborted();
    return Buffer.concat(chunks).subarray(0, answerBytes).toString('utf8');
  } finally {
    stop();
    held.free();
  }
};

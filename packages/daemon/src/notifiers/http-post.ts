import { DeliveryError } from '../outbox/delivery-error.js';
import { version } from '../version.js';
import { judgeStatus, networkFailure, retryAfterMs } from './http-failure.js';
import { oneLine } from './plain-text.js';

const answerMs = 15_000;
/** Bytes of an answer that are read: enough to say why, however much the other side sends. */
const answerBytes = 8_192;

export interface PostAnswer {
  readonly status: number;
  readonly text: string;
  readonly waitMs: number | undefined;
}

/** Sends a body and reads the beginning of the answer, whatever its status. @throws DeliveryError when none comes. */
export const post = (url: string, body: string, headers: Readonly<Record<string, string>>): Promise<PostAnswer> =>
  request(url, { method: 'POST', body, headers });

/** Asks an address and reads the beginning of the answer, whatever its status. @throws DeliveryError when none comes. */
export const get = (url: string): Promise<PostAnswer> => request(url, { method: 'GET', headers: {} });

interface Asked {
  readonly method: 'GET' | 'POST';
  readonly body?: string;
  readonly headers: Readonly<Record<string, string>>;
}

const request = async (url: string, { headers, ...asked }: Asked): Promise<PostAnswer> => {
  try {
    const response = await fetch(url, {
      ...asked,
      headers: { 'User-Agent': `hubwatch/${version}`, ...headers },
      redirect: 'manual',
      signal: AbortSignal.timeout(answerMs),
    });
    const text = await beginning(response);
    return { status: response.status, text, waitMs: retryAfterMs(response.headers.get('retry-after'), Date.now()) };
  } catch (error) {
    throw networkFailure(error);
  }
};

/** @throws DeliveryError unless the status is a success. `secrets` never stand in its text. */
export const requireSuccess = ({ status, text, waitMs }: PostAnswer, secrets: readonly string[] = []): void => {
  if (status >= 200 && status < 300) return;
  const [reason, scope] = judgeStatus(status);
  throw new DeliveryError(`HTTP ${status}: ${redact(text, secrets)}`, { reason, scope, waitMs });
};

/** One line of what another side wrote, without our secrets, which some services repeat. */
export const redact = (text: string, secrets: readonly string[]): string =>
  oneLine(secrets.reduce((left, secret) => (secret === '' ? left : left.replaceAll(secret, '…')), text));

const beginning = async (response: Response): Promise<string> => {
  if (response.body === null) return '';
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    chunks.push(chunk);
    bytes += chunk.length;
    // Leaving the loop ends the request.
    if (bytes >= answerBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, answerBytes).toString('utf8');
};

import { startDeadline } from '../deadline.js';
import { HubError } from '../error.js';
import { networkFailure } from '../network-error.js';
import type { CallLimits } from '../options.js';
import { type Place, placeText } from '../place.js';

export interface HttpRequest {
  readonly verb: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

export interface HttpAnswer {
  readonly status: number;
  /** Value of a header, any case; `undefined` where the answer has none. */
  readonly header: (name: string) => string | undefined;
  readonly body: string;
}

/**
 * One HTTP request and its whole answer, with the platform's fetch.
 *
 * @throws HubError `timeout`, `cancelled`, `limit` for a body over the limit, `refused`, `tls`, `unavailable`, `http`
 */
export async function exchange(request: HttpRequest, limits: CallLimits, place: Place): Promise<HttpAnswer> {
  const deadline = startDeadline(limits, place);
  try {
    const response = await fetch(request.url, {
      method: request.verb,
      headers: { ...request.headers },
      // A redirect would carry the headers of the caller to another host.
      redirect: 'manual',
      signal: deadline.signal,
      ...(request.body === undefined ? {} : { body: request.body }),
    });
    const body = await readBody(response, limits.maxBytes, place);
    return { status: response.status, header: (name) => response.headers.get(name) ?? undefined, body };
  } catch (error) {
    if (error instanceof HubError) throw error;
    const early = deadline.failure();
    if (early !== undefined) throw early;
    const { code, text } = networkFailure(error);
    throw new HubError({ code, message: `${placeText(place)}: ${text}`, ...place, cause: error, raw: { text } });
  } finally {
    deadline.clear();
  }
}

async function readBody(response: Response, maxBytes: number, place: Place): Promise<string> {
  if (response.body === null) return '';
  const reader: ReadableStreamDefaultReader<Uint8Array> = response.body.getReader();
  const decoder = new TextDecoder();
  let size = 0;
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    size += value.length;
    if (size > maxBytes) {
      await reader.cancel();
      throw new HubError({
        code: 'limit',
        message: `${placeText(place)}: the answer is larger than the limit of ${maxBytes} bytes; ask for a smaller page or raise maxBytes`,
        ...place,
        raw: { httpStatus: response.status },
      });
    }
    text += decoder.decode(value, { stream: true });
  }
}

import { startDeadline } from '../deadline.js';
import { HubError } from '../error.js';
import { decodeError } from '../message-error.js';
import { networkFailure } from '../network-error.js';
import type { CallLimits } from '../options.js';
import { type Place, placeText } from '../place.js';
import type { Dispatching } from './address-race.js';

export interface HttpRequest {
  readonly verb: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /**
   * Whether asking twice is the same as asking once. Then a connection that ends before the answer begins is made anew
   * once: a node drops idle ones after 10 s, and may do so in the moment in which one is used again.
   */
  readonly repeatable?: boolean | undefined;
}

export interface HttpAnswer {
  readonly status: number;
  /** Value of a header, any case; `undefined` where the answer has none. */
  readonly header: (name: string) => string | undefined;
  readonly body: string;
}

/** Origins whose addresses take longer than Node's own time for them; a request that finds it out pays for it once. */
const patient = new Map<string, Dispatching>();

/**
 * One HTTP request and its whole answer, with the platform's fetch.
 *
 * @throws HubError `timeout`, `cancelled`, `limit` for a body over the limit, `decode` for one that is no UTF-8, `refused`,
 * `tls`, `unavailable`, `http`
 */
export async function exchange(request: HttpRequest, limits: CallLimits, place: Place): Promise<HttpAnswer> {
  const deadline = startDeadline(limits, place);
  // Not left to fetch: in Node 20 a packed body that is aborted while it is read is never heard of again.
  const ended = new Promise<never>((_, reject) => {
    const end = (): void => reject(new Error('ended'));
    if (deadline.signal.aborted) end();
    else deadline.signal.addEventListener('abort', end, { once: true });
  });
  // It also ends when nobody waits for it any more.
  ended.catch(() => undefined);
  try {
    const ask = (how: Dispatching = {}): Promise<Response> =>
      fetch(request.url, {
        ...how,
        method: request.verb,
        headers: { ...request.headers },
        // A redirect would carry the headers of the caller to another host.
        redirect: 'manual',
        signal: deadline.signal,
        ...(request.body === undefined ? {} : { body: request.body }),
      } as RequestInit);
    const { origin } = new URL(request.url);
    const asked = ask(patient.get(origin)).catch(async (error: unknown) => {
      if (deadline.signal.aborted) throw error;
      if (request.repeatable === true && isDropped(error)) return ask();
      // Loaded when something failed: the import of this entry is measured.
      const patience = (await import('./address-race.js')).patienceAfter(error);
      if (patience === undefined) throw error;
      patient.set(origin, patience);
      return ask(patience);
    });
    const response = await Promise.race([asked, ended]);
    const body = await readBody(response, limits.maxBytes, place, ended);
    return { status: response.status, header: (name) => response.headers.get(name) ?? undefined, body };
  } catch (error) {
    if (error instanceof HubError) throw error;
    const early = deadline.failure();
    if (early !== undefined) throw early;
    const { code, text } = networkFailure(error);
    const message = `${placeText(place)}: ${text}${originHint(error, place)}`;
    throw new HubError({ code, message, ...place, cause: error, raw: { text } });
  } finally {
    deadline.clear();
  }
}

async function readBody(response: Response, maxBytes: number, place: Place, ended: Promise<never>): Promise<string> {
  if (response.body === null) return '';
  const reader: ReadableStreamDefaultReader<Uint8Array> = response.body.getReader();
  // A node writes UTF-8; a replaced byte would be another value. The page of a proxy is only shown.
  const decoder = new TextDecoder('utf-8', { fatal: response.status === 200 });
  let size = 0;
  let text = '';
  try {
    for (;;) {
      const { done, value } = await Promise.race([reader.read(), ended]);
      if (done) return text + textOf(decoder, undefined, place);
      size += value.length;
      if (size > maxBytes) {
        throw new HubError({
          code: 'limit',
          message: `${placeText(place)}: the answer is larger than the limit of ${maxBytes} bytes; ask for a smaller page or raise maxBytes`,
          ...place,
          raw: { httpStatus: response.status },
        });
      }
      text += textOf(decoder, value, place);
    }
  } catch (error) {
    // What has not come yet is not wanted; nobody waits for the end of it.
    void reader.cancel().catch(() => undefined);
    throw error;
  }
}

function textOf(decoder: InstanceType<typeof TextDecoder>, part: Uint8Array | undefined, place: Place): string {
  try {
    return decoder.decode(part, { stream: part !== undefined });
  } catch (error) {
    throw decodeError(place, error);
  }
}

/** Whether the other side ended the connection. */
function isDropped(error: unknown): boolean {
  const { code } = ((error as Error).cause ?? {}) as { code?: unknown };
  return code === 'UND_ERR_SOCKET' || code === 'ECONNRESET' || code === 'EPIPE';
}

/** What a page is not told: a browser gives no reason for a request that it did not let through. */
function originHint(error: unknown, { transport, height }: Place): string {
  const { origin } = globalThis as { origin?: string };
  if (origin === undefined || !(error instanceof TypeError)) return '';
  if (transport === 'rest' && height !== undefined) {
    return '; a page cannot send a height over REST, ask for it over abci';
  }
  const setting = transport === 'rest' ? '[api] enabled-unsafe-cors' : '[rpc] cors_allowed_origins';
  return `; the browser tells no reason: the node is not there, or its ${setting} does not allow pages of ${origin}`;
}

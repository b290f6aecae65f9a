import type { HeldBytes } from '../answer-budget.js';
import { startDeadline } from '../deadline.js';
import { HubError } from '../error.js';
import { decodeError } from '../message-error.js';
import { networkFailure } from '../network-error.js';
import type { CallLimits } from '../options.js';
import { type Place, placeText } from '../place.js';
import { send } from './lazy-send.js';
import type { HttpBody, HttpRequest, HttpResponse } from './send.js';

export interface HttpAnswer {
  readonly status: number;
  /** Value of a header, in any case; `undefined` if the response does not have it. */
  readonly header: (name: string) => string | undefined;
  readonly body: string;
}

/**
 * One HTTP request and its complete response: over node:http in Node, with fetch in browsers.
 *
 * @throws HubError `timeout`, `cancelled`, `limit` for a body over the limit, `decode` for invalid UTF-8, `refused`,
 * `tls`, `unavailable`, `http`
 */
export async function exchange(request: HttpRequest, limits: CallLimits, place: Place): Promise<HttpAnswer> {
  const deadline = startDeadline(limits, place);
  let given: HubError | undefined;
  // Not left to fetch: in Node 20, reading a compressed body never settles if the request is aborted meanwhile.
  let end: () => void = () => undefined;
  const ended = new Promise<never>((_, reject) => {
    end = () => reject(given ?? new Error('ended'));
    if (deadline.signal.aborted) end();
    else deadline.signal.addEventListener('abort', end, { once: true });
  });
  // It also rejects after the caller has stopped waiting.
  ended.catch(() => undefined);
  const held = limits.budget.open(limits.maxBytes, (reason) => {
    given = tooLarge(reason, place);
    end();
  });
  try {
    const response = await Promise.race([ask(request, deadline.signal), ended]);
    const body = await readBody(response, held, limits.maxBytes, place, ended);
    return { status: response.status, header: response.header, body };
  } catch (error) {
    if (error instanceof HubError) throw error;
    const early = deadline.failure();
    if (early !== undefined) throw early;
    const { code, text } = networkFailure(error);
    const message = `${placeText(place)}: ${text}${originHint(error, place)}`;
    throw new HubError({ code, message, ...place, cause: error, raw: { text } });
  } finally {
    held.free();
    deadline.clear();
  }
}

function ask(request: HttpRequest, signal: AbortSignal): Promise<HttpResponse> {
  return send(request, signal).catch((error: unknown) => {
    if (signal.aborted || request.repeatable !== true || !isDropped(error)) throw error;
    return send(request, signal);
  });
}

/** Bytes of a refusal or a web page that are read regardless of the limit: enough to identify it. */
const pageBytes = 65_536;

async function readBody(
  { status, header, body }: HttpResponse,
  held: HeldBytes,
  maxBytes: number,
  place: Place,
  ended: Promise<never>,
): Promise<string> {
  if (body === undefined) return '';
  const announcedBytes = Number(header('content-length'));
  const parts: Uint8Array[] = [];
  let bytes = 0;
  let isPage = status !== 200;
  let hasBegun = isPage;
  try {
    for (;;) {
      const { done, value } = await Promise.race([body.read(), ended]);
      if (done || value === undefined) break;
      // Decided once: bytes that were already checked are not searched again with each chunk.
      const first = hasBegun ? undefined : value.find((byte) => byte !== 32 && (byte < 9 || byte > 13));
      if (first !== undefined) {
        hasBegun = true;
        isPage = first === lessThan;
      }
      if (hasBegun && !isPage && announcedBytes > maxBytes) {
        throw tooLarge(`larger than the limit of ${maxBytes} bytes: ${announcedBytes}`, place, status);
      }
      bytes += value.length;
      const reason = held.add(value.length);
      if (isPage && bytes > pageBytes) {
        parts.push(value.subarray(0, pageBytes));
        giveUp(body);
        break;
      }
      if (!isPage && reason !== undefined) throw tooLarge(reason, place, status);
      parts.push(value);
    }
    // Only a complete response is converted to text.
    return textOf(parts, status === 200, place);
  } catch (error) {
    giveUp(body);
    throw error;
  }
}

/** The byte `<`, with which a web page begins. */
const lessThan = 60;

/** Discards the rest of the body, without waiting for its end. */
function giveUp(body: HttpBody): void {
  void Promise.resolve(body.cancel()).catch(() => undefined);
}

function tooLarge(reason: string, place: Place, httpStatus?: number): HubError {
  const raw = httpStatus === undefined ? {} : { httpStatus };
  return new HubError({ code: 'limit', message: `${placeText(place)}: the answer is ${reason}`, ...place, raw });
}

/** A node writes UTF-8, so a replaced byte would change a value. The page of a proxy is only displayed. */
function textOf(parts: readonly Uint8Array[], fatal: boolean, place: Place): string {
  const decoder = new TextDecoder('utf-8', { fatal });
  try {
    return parts.map((part) => decoder.decode(part, { stream: true })).join('') + decoder.decode();
  } catch (error) {
    throw decodeError(place, error);
  }
}

/** Whether the peer closed the connection. */
function isDropped(error: unknown): boolean {
  const { code } = ((error as Error).cause ?? error) as { code?: unknown };
  return code === 'UND_ERR_SOCKET' || code === 'ECONNRESET' || code === 'EPIPE';
}

/** Hint for a web page: a browser gives no reason for a request that it blocked. */
function originHint(error: unknown, { transport, height }: Place): string {
  const { origin } = globalThis as { origin?: string };
  if (origin === undefined || !(error instanceof TypeError)) return '';
  if (transport === 'rest' && height !== undefined) {
    return '; a page cannot send a height over REST, ask for it over abci';
  }
  const setting = transport === 'rest' ? '[api] enabled-unsafe-cors' : '[rpc] cors_allowed_origins';
  return `; the browser tells no reason: the node is not there, or its ${setting} does not allow pages of ${origin}`;
}

import type { ErrorCode } from '@hubwatch/types/gen/errors';
import type { AnyMethod, ResponseOf, TransportKind } from '@hubwatch/types/runtime/method';
import type { SmallMethod, SmallRequestOf } from '@hubwatch/types/runtime/small/method';
import type { Walk } from '@hubwatch/types/runtime/small/table';
import type { Answer } from '../transport.js';

export interface SmallOptions {
  /** Milliseconds until the call fails with `timeout`. Default 10 000. */
  readonly timeoutMs?: number;
  /** Largest answer accepted, in characters; a larger one fails with `limit`. Default 32 Mi. */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
  /** Further headers of the request. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** What every failure of the small client is: `code` says which, of the same closed set as `HubError` of the full one. */
export interface SmallError extends Error {
  readonly name: 'HubError';
  readonly code: ErrorCode;
}

/**
 * Asks a method of `gen/small/methods`. What the node does not serve on the transport does not compile.
 *
 * @throws SmallError with one of its codes
 */
export type SmallQuery<K extends TransportKind, Call extends SmallOptions> = <
  M extends AnyMethod,
  Left extends TransportKind = never,
>(
  method: SmallMethod<M, Left>,
  request: SmallRequestOf<M, Left, K>,
  call?: Call,
) => Promise<Answer<ResponseOf<M>>>;

/**
 * What a transport reads of an answer: the message and its height, or else the text of a refusal, and the code that the node
 * itself gives it.
 */
export type Read = readonly [message: unknown, height: unknown, refusal?: unknown, code?: ErrorCode | ''];

/** The first text of a refusal that is found in it decides. */
const codes: Readonly<Record<string, ErrorCode>> = {
  'first block': 'starting',
  'in the future': 'height_in_future',
  'than latest': 'height_in_future',
  'not found': 'not_found',
  NotF: 'not_found',
  InvalidA: 'invalid_argument',
  'unknown query': 'unimplemented',
};

function codeOf(text: string): ErrorCode | undefined {
  const [, height] = /state at height (\d+)/.exec(text) ?? [];
  // The first height of every hub v12 chain: nothing below it ever existed.
  if (height) return +height < 901801 ? 'height_never_existed' : 'height_not_retained';
  return codes[Object.keys(codes).find((part) => text.includes(part)) as string];
}

/**
 * A transport of the small client.
 *
 * @param served member of the method that says where it is served
 * @param write path and query of a request
 * @param read what an answer holds
 */
export const transport =
  <K extends TransportKind, Call extends SmallOptions = SmallOptions>(
    served: 'path' | 'route',
    walk: Walk,
    write: (method: SmallMethod, request: unknown, call: Call) => string,
    read: (json: never, response: Response) => Read,
  ) =>
  /** @param url base URL of the interface, without a closing slash */
  (url: string, options?: SmallOptions): SmallQuery<K, Call> =>
  async (method, request, call) => {
    const given = { ...options, ...call } as Call;
    const { timeoutMs = 1e4, maxBytes = 2 ** 25, signal, headers } = given;
    const timeout = AbortSignal.timeout(timeoutMs);
    let code: ErrorCode = 'not_served';
    try {
      if (!method[served]) throw Error(served);
      code = 'invalid_argument';
      const target = url + write(method as unknown as SmallMethod, request, given);
      code = 'unavailable';
      // A redirect would carry the headers of the caller to another host.
      const response = await fetch(target, {
        redirect: 'manual',
        signal: AbortSignal.any([timeout, signal ?? timeout]),
        headers: headers as Record<string, string>,
      });
      const { status } = response;
      const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
      let text = '';
      for (let part; (part = (await reader?.read())?.value); ) {
        if ((text += part).length > maxBytes) throw Error((code = 'limit'));
      }
      code = status === 429 ? 'rate_limited' : status > 501 && status < 505 ? 'unavailable' : 'http';
      const [message, height, refusal, own] = read(JSON.parse(text) as never, response);
      const isRefused = typeof refusal === 'string';
      if (isRefused) code = codeOf(refusal) ?? (own || 'unknown');
      if (isRefused || status !== 200) throw Error(refusal as string);
      code = 'decode';
      return {
        message: method.response(message, walk) as ResponseOf<never>,
        height: (height as number) > 0 ? BigInt(height as string) : undefined,
      };
    } catch (error) {
      throw Object.assign(Error((error as Error).message, { cause: error }), {
        name: 'HubError',
        code: timeout.aborted ? 'timeout' : signal?.aborted ? 'cancelled' : code,
      });
    }
  };

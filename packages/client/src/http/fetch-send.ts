// Replaces lazy-send when a bundler builds for browsers (`browser` in package.json), and is used in Node behind a
// proxy.
import type { HttpRequest, HttpResponse } from './send.js';

/** Sends a request with the platform's fetch. Rejects with the platform's error, either directly or as the cause. */
export async function send(request: HttpRequest, signal: AbortSignal): Promise<HttpResponse> {
  const response = await fetch(request.url, {
    method: request.verb,
    headers: { ...request.headers },
    // A redirect would send the headers of the caller to another host.
    redirect: 'manual',
    signal,
    ...(request.body === undefined ? {} : { body: request.body }),
  });
  return {
    status: response.status,
    header: (name) => response.headers.get(name) ?? undefined,
    body: response.body?.getReader(),
  };
}

/** Does nothing: browsers limit the sockets of an origin. */
export function holdSocket(_origin: string, _signal: AbortSignal): Promise<() => void> {
  return Promise.resolve(() => undefined);
}

// Stands in for node-send where a bundler builds for browsers (`browser` in package.json), and serves Node behind a proxy.
import type { HttpRequest, HttpResponse } from './send.js';

/** Sends a request with the platform's fetch. Its rejection has the platform's error as it is, or as its cause. */
export async function send(request: HttpRequest, signal: AbortSignal): Promise<HttpResponse> {
  const response = await fetch(request.url, {
    method: request.verb,
    headers: { ...request.headers },
    // A redirect would carry the headers of the caller to another host.
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

/** Browsers limit the sockets of an origin themselves. */
export function holdSocket(_origin: string, _signal: AbortSignal): Promise<() => void> {
  return Promise.resolve(() => undefined);
}

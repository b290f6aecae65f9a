// Loads node:http on the first request, because the import cost of each entry point is measured. Browser bundles contain
// fetch-send instead (`browser` in package.json).
import type { HttpRequest, HttpResponse } from './send.js';

/** Sends a request over node:http. Rejects with the platform's error, or with an error that has it as its cause. */
export async function send(request: HttpRequest, signal: AbortSignal): Promise<HttpResponse> {
  return (await import('./node-send.js')).send(request, signal);
}

/** Waits until the caller may open one of the two sockets of an origin. */
export async function holdSocket(origin: string, signal: AbortSignal): Promise<() => void> {
  return (await import('./node-send.js')).holdSocket(origin, signal);
}

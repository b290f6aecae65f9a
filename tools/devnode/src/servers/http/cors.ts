import type { Header, HttpAnswer, HttpRequest } from './message.js';
import { headerOf } from './message.js';

/** Whether the request is a CORS preflight: `OPTIONS` with an origin and a requested method. */
export function isPreflight({ method, headers }: HttpRequest): boolean {
  return method === 'OPTIONS' && originOf(headers) !== '' && asksFor(headers) !== '';
}

/** Value of the `Origin` header, empty if absent. */
export function originOf(headers: readonly Header[]): string {
  return headerOf(headers, 'origin') ?? '';
}

/** Method that a preflight requests, empty if absent. */
export function asksFor(headers: readonly Header[]): string {
  return headerOf(headers, 'access-control-request-method') ?? '';
}

/** Header names that a preflight requests. */
export function askedHeaders(headers: readonly Header[]): string[] {
  const text = headerOf(headers, 'access-control-request-headers') ?? '';
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/**
 * Adds a header at the position where the node's server sorts it. A recorded response that has it is not given a second
 * one.
 */
export function withHeader(answer: HttpAnswer, header: Header): HttpAnswer {
  const [name] = header;
  if (answer.headers.some(([known]) => known === name)) return answer;
  const after = answer.headers.findIndex(([known]) => known > name || known === 'Date');
  const at = after === -1 ? answer.headers.length : after;
  return { ...answer, headers: answer.headers.toSpliced(at, 0, header) };
}

import type { Header, HttpAnswer, HttpRequest } from './message.js';
import { headerOf } from './message.js';

/** A browser asks whether it may send: `OPTIONS` from an origin that names the method it wants. */
export function isPreflight({ method, headers }: HttpRequest): boolean {
  return method === 'OPTIONS' && originOf(headers) !== '' && asksFor(headers) !== '';
}

/** Value of `Origin`, empty if it was not sent. */
export function originOf(headers: readonly Header[]): string {
  return headerOf(headers, 'origin') ?? '';
}

/** Method that a preflight asks for, empty if it names none. */
export function asksFor(headers: readonly Header[]): string {
  return headerOf(headers, 'access-control-request-method') ?? '';
}

/** Header names that a preflight asks for. */
export function askedHeaders(headers: readonly Header[]): string[] {
  const text = headerOf(headers, 'access-control-request-headers') ?? '';
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** The answer with a header more, where the node's server sorts it in; a recorded one is not given twice. */
export function withHeader(answer: HttpAnswer, header: Header): HttpAnswer {
  const [name] = header;
  if (answer.headers.some(([known]) => known === name)) return answer;
  const after = answer.headers.findIndex(([known]) => known > name || known === 'Date');
  const at = after === -1 ? answer.headers.length : after;
  return { ...answer, headers: answer.headers.toSpliced(at, 0, header) };
}

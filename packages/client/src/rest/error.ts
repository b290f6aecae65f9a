import { HubError } from '../error.js';
import { codeOfHttpStatus } from '../failure-table.js';
import { readFrameworkStatus } from '../framework-error.js';
import type { HttpAnswer } from '../http/exchange.js';
import { nodeText } from '../node-text.js';
import { parsePeerJson } from '../parse-json.js';
import { retryAfterOf } from '../http/retry-after.js';
import { type Place, placeText } from '../place.js';

/**
 * Maps a response that is not 200. The gateway's own body has a gRPC code, which decides. Any other body comes from a
 * proxy and is classified by its HTTP status.
 *
 * @source proto/spec/errors.yaml, rows
 */
export function restError(answer: HttpAnswer, place: Place): HubError {
  const body = readBody(answer.body);
  if (body !== undefined) {
    return new HubError({
      ...readFrameworkStatus(body.code, body.message),
      message: `${placeText(place)}: ${body.message === '' ? `code ${body.code}` : body.message}`,
      ...place,
      raw: { httpStatus: answer.status, grpcCode: body.code, text: body.message },
    });
  }
  const text = answer.body.slice(0, 500);
  return new HubError({
    code: codeOfHttpStatus(answer.status),
    message: `${placeText(place)}: HTTP ${answer.status} without a body of the gateway: ${JSON.stringify(text.slice(0, 120))}`,
    ...place,
    raw: { httpStatus: answer.status, text, ...retryAfterOf(answer.header) },
  });
}

function readBody(text: string): { code: number; message: string } | undefined {
  let body: unknown;
  try {
    body = parsePeerJson(text);
  } catch {
    // Not JSON: a page of a proxy.
    return undefined;
  }
  const { code, message } = (body ?? {}) as { code?: unknown; message?: unknown };
  return typeof code === 'number' && typeof message === 'string' ? { code, message: nodeText(message) } : undefined;
}

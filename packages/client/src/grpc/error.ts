import type { IncomingHttpHeaders } from 'node:http2';
import { HubError } from '../error.js';
import { codeOfHttpStatus, codeOfReset } from '../failure-table.js';
import { readFrameworkStatus } from '../framework-error.js';
import { retryAfterOf } from '../http/retry-after.js';
import { networkFailure } from '../network-error.js';
import { nodeText } from '../node-text.js';
import { type Place, placeText } from '../place.js';

/** Status and text with which a server ends a call. */
export interface GrpcFailure {
  readonly code: number;
  readonly details: string;
}

/** Value of a header that came before the failure. */
type Header = (name: string) => string | undefined;

/** Maps a failed call to the one error type. */
export function grpcError(whole: GrpcFailure, place: Place, header: Header = () => undefined): HubError {
  const failure = { ...whole, details: nodeText(whole.details) };
  return new HubError({
    ...readFrameworkStatus(failure.code, failure.details),
    message: `${placeText(place)}: ${failure.details === '' ? `status ${failure.code}` : failure.details}`,
    ...place,
    raw: { grpcCode: failure.code, text: failure.details, ...retryAfterOf(header) },
    cause: failure,
  });
}

/** What answers is no gRPC server, such as a proxy with a page of its own; `undefined` where it is one. */
export function httpAnswerError(initial: IncomingHttpHeaders, place: Place): HubError | undefined {
  const status = Number(initial[':status']);
  const isGrpc = status === 200 && /^application\/grpc/.test(initial['content-type'] ?? '');
  if (isGrpc || initial['grpc-status'] !== undefined) return undefined;
  return new HubError({
    code: codeOfHttpStatus(status),
    message: `${placeText(place)}: HTTP ${status} (${initial['content-type'] ?? 'no content type'}) instead of gRPC`,
    ...place,
    raw: { httpStatus: status, ...retryAfterOf((name) => [initial[name]].flat()[0]) },
  });
}

/**
 * A call that ended without a status.
 *
 * @param resetCode code of HTTP/2 with which the stream was reset
 * @param farewell what the server announced when it gave the connection up
 */
export function brokenCall(
  error: unknown,
  resetCode: number | undefined,
  farewell: { readonly code: number; readonly text: string } | undefined,
  place: Place,
): HubError {
  const { code, text } = networkFailure(error ?? new Error('the call ended without a status'));
  const announced = farewell?.text === undefined || farewell.text === '' ? '' : ` (${farewell.text})`;
  // Of a connection that failed the platform has a reset code of its own.
  const isReset = (error as { code?: unknown } | undefined)?.code === 'ERR_HTTP2_STREAM_ERROR';
  const given = farewell?.code === undefined || farewell.code === 0 ? (isReset ? resetCode : undefined) : farewell.code;
  return new HubError({
    code: codeOfReset(given ?? 0) ?? code,
    message: `${placeText(place)}: ${text}${announced}`,
    ...place,
    raw: { text: `${text}${announced}` },
    cause: error,
  });
}

import type { IncomingHttpHeaders } from 'node:http2';
import { HubError } from '../error.js';
import { codeOfHttpStatus, codeOfReset } from '../failure-table.js';
import { readFrameworkStatus } from '../framework-error.js';
import { retryAfterOf } from '../http/retry-after.js';
import { networkFailure } from '../network-error.js';
import { nodeText } from '../node-text.js';
import { type Place, placeText } from '../place.js';

/** Status and text of a failed call. */
export interface GrpcFailure {
  readonly code: number;
  readonly details: string;
}

/** Value of a header that was received before the failure. */
type Header = (name: string) => string | undefined;

/** Maps a failed call to a HubError. */
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

/** Error if the peer is not a gRPC server, such as a proxy with its own page; else `undefined`. */
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
 * Maps a call that ended without a status.
 *
 * @param resetCode HTTP/2 code with which the stream was reset
 * @param farewell code and text that the server sent when it closed the connection
 */
export function brokenCall(
  error: unknown,
  resetCode: number | undefined,
  farewell: { readonly code: number; readonly text: string } | undefined,
  place: Place,
): HubError {
  const { code, text } = networkFailure(error ?? new Error('the call ended without a status'));
  const announced = farewell?.text === undefined || farewell.text === '' ? '' : ` (${farewell.text})`;
  // After a failed connection, the platform sets its own reset code.
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

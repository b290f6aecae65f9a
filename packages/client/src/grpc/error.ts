import { HubError } from '../error.js';
import { readStatus } from '../framework-error.js';
import type { Refusal } from '../height-refusal.js';
import { retryAfterOf } from '../http/retry-after.js';
import { codeOfHttpStatus } from '../http/status-code.js';
import { type Place, placeText } from '../place.js';

/** What grpc-js rejects a call with. */
export interface GrpcFailure {
  readonly code: number;
  readonly details: string;
}

/** Value of a header that came before the failure. */
type Header = (name: string) => string | undefined;

/** Maps a failed call to the one error type. */
export function grpcError(failure: GrpcFailure, place: Place, header: Header = () => undefined): HubError {
  return new HubError({
    ...refusalOf(failure),
    message: `${placeText(place)}: ${failure.details === '' ? `status ${failure.code}` : failure.details}`,
    ...place,
    raw: { grpcCode: failure.code, text: failure.details, ...httpStatusOf(failure), ...retryAfterOf(header) },
    cause: failure,
  });
}

function refusalOf({ code, details }: GrpcFailure): Refusal {
  // Texts of grpc-js itself, which has no other way to say what happened below gRPC: an HTTP answer of a proxy …
  const { httpStatus } = httpStatusOf({ details });
  if (httpStatus !== undefined) return { code: codeOfHttpStatus(httpStatus) };
  if (code === 14) {
    // … and a connection that did not come about.
    if (/ECONNREFUSED/.test(details)) return { code: 'refused' };
    if (/certificate|SSL|TLS|EPROTO|self.signed/i.test(details)) return { code: 'tls' };
  }
  return readStatus(code, details);
}

function httpStatusOf({ details }: Pick<GrpcFailure, 'details'>): { readonly httpStatus?: number } {
  const status = /Received HTTP status code (\d+)/.exec(details)?.[1];
  return status === undefined ? {} : { httpStatus: Number(status) };
}

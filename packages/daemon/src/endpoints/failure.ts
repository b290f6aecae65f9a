import { type ErrorCode, HubError, platformFailure, errorText } from '@hubwatch/client';
import { OlderAnswerError } from '@hubwatch/client/pool';

/** Why a poll or a request failed: the closed set of values for the `reason` label. */
export const failureReasons = ['timeout', 'refused', 'tls', 'http', 'grpc', 'decode', 'regression', 'limit'] as const;
export type FailureReason = (typeof failureReasons)[number];

/**
 * Label for each error code of the client. `protocol`: a refusal by the node, counted under the protocol of the
 * response.
 */
const byCode: Readonly<Record<ErrorCode, FailureReason | 'protocol'>> = {
  timeout: 'timeout',
  refused: 'refused',
  unavailable: 'refused',
  tls: 'tls',
  decode: 'decode',
  limit: 'limit',
  rate_limited: 'limit',
  http: 'http',
  not_served: 'protocol',
  invalid_argument: 'protocol',
  not_found: 'protocol',
  unimplemented: 'protocol',
  height_never_existed: 'protocol',
  height_not_retained: 'protocol',
  height_in_future: 'protocol',
  stopped_for_upgrade: 'protocol',
  already_known: 'protocol',
  wrong_sequence: 'protocol',
  insufficient_funds: 'protocol',
  starting: 'protocol',
  cancelled: 'protocol',
  internal: 'protocol',
  unknown: 'protocol',
};

/** Maps an error to its label, using the client's table of failures. */
export const failureReason = (error: unknown): FailureReason => {
  if (error instanceof OlderAnswerError) return 'regression';
  if (error instanceof HubError) {
    const reason = byCode[error.code];
    return reason === 'protocol' ? (error.transport === 'grpc' ? 'grpc' : 'http') : reason;
  }
  // A network failure that did not pass through a transport of the client.
  const platform = platformFailure(error);
  const reason = platform === undefined ? 'decode' : byCode[platform.code];
  return reason === 'protocol' ? 'http' : reason;
};

/** One line for logs, pages and notices. Text from a node is truncated; control and bidi characters are replaced. */
export const failureText = (error: unknown): string =>
  errorText(error)
    .replace(/[\p{Cc}\p{Bidi_Control}]+/gu, ' ')
    .slice(0, 300);

import { type ErrorCode, HubError, platformFailure, errorText } from '@hubwatch/client';
import { OlderAnswerError } from '@hubwatch/client/pool';

/** Why a poll or a request brought nothing: the closed list of the `reason` label. */
export const failureReasons = ['timeout', 'refused', 'tls', 'http', 'grpc', 'decode', 'regression', 'limit'] as const;
export type FailureReason = (typeof failureReasons)[number];

/** Label of each code of the client; `protocol` for refusals by the node, which count under the protocol that brought them. */
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

/** The label for a failure, by the client's one table of failures. */
export const failureReason = (error: unknown): FailureReason => {
  if (error instanceof OlderAnswerError) return 'regression';
  if (error instanceof HubError) {
    const reason = byCode[error.code];
    return reason === 'protocol' ? (error.transport === 'grpc' ? 'grpc' : 'http') : reason;
  }
  // A failure of the network that did not pass through a transport of the client.
  const platform = platformFailure(error);
  const reason = platform === undefined ? 'decode' : byCode[platform.code];
  return reason === 'protocol' ? 'http' : reason;
};

/** One line for logs, pages and notices. Text from a node is truncated; control and bidi characters are replaced. */
export const failureText = (error: unknown): string =>
  errorText(error)
    .replace(/[\p{Cc}\p{Bidi_Control}]+/gu, ' ')
    .slice(0, 300);

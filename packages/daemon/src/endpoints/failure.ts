import { type ErrorCode, HubError } from '@hubwatch/client';

/** Why a poll or a request brought nothing: the closed list of the `reason` label. */
export const failureReasons = ['timeout', 'refused', 'tls', 'http', 'grpc', 'decode', 'regression', 'limit'] as const;
export type FailureReason = (typeof failureReasons)[number];

/** An answer of a smaller height than one seen before: no news, and not taken. */
export class RegressionError extends Error {
  override readonly name = 'RegressionError';
}

const byCode: Partial<Record<ErrorCode, FailureReason>> = {
  timeout: 'timeout',
  refused: 'refused',
  unavailable: 'refused',
  tls: 'tls',
  decode: 'decode',
  limit: 'limit',
  rate_limited: 'limit',
};

/** The label for a failure; refusals by the node count under the protocol that brought them. */
export const failureReason = (error: unknown): FailureReason => {
  if (error instanceof RegressionError) return 'regression';
  if (!(error instanceof HubError)) return 'decode';
  return byCode[error.code] ?? (error.transport === 'grpc' ? 'grpc' : 'http');
};

/** One line for logs, pages and notices. Text of a node is cut and keeps no control characters. */
export const failureText = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/\p{Cc}+/gu, ' ').slice(0, 300);

import { type ErrorCode, HubError } from '../error.js';

/**
 * Meaning of a failure for the endpoint that returned it.
 * - `final`: every endpoint would return the same.
 * - `elsewhere`: the endpoint is healthy but does not have the data; another may.
 * - `ill`: the endpoint failed, and is put in backoff.
 */
export type FailureJudgement = 'final' | 'elsewhere' | 'ill';

const byCode: Partial<Record<ErrorCode, FailureJudgement>> = {
  invalid_argument: 'final',
  height_never_existed: 'final',
  cancelled: 'final',
  not_served: 'final',
  already_known: 'final',
  wrong_sequence: 'final',
  insufficient_funds: 'final',
  not_found: 'elsewhere',
  height_not_retained: 'elsewhere',
  height_in_future: 'elsewhere',
  stopped_for_upgrade: 'elsewhere',
  unimplemented: 'elsewhere',
  limit: 'elsewhere',
};

export function judgeFailure(error: unknown): FailureJudgement {
  return error instanceof HubError ? (byCode[error.code] ?? 'ill') : 'final';
}

/** Failures after which a transaction was certainly not submitted, so that another endpoint may be used. */
const neverSent: ReadonlySet<ErrorCode> = new Set(['refused', 'tls', 'not_served']);

export function wasNeverSent(error: unknown): boolean {
  return error instanceof HubError && neverSent.has(error.code);
}

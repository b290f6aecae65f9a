import type { Naming, NamingSource } from '@hubwatch/types/runtime/naming';
import { startDeadline } from '../deadline.js';
import { errorText, HubError } from '../error.js';
import type { CallLimits } from '../options.js';
import { type Place, placeText } from '../place.js';

/** How long a failure to detect the naming is reused instead of querying the node again. */
const failureMs = 1_000;

/**
 * Returns the naming, and detects it if a function provides it. A call waits no longer than its own timeout and signal
 * allow; the search continues for other waiting calls.
 *
 * @throws HubError at the place of the call: `timeout`, `cancelled`, or the code of the search with it as the cause
 */
export async function resolveNaming(naming: Naming | NamingSource, limits: CallLimits, place: Place): Promise<Naming> {
  if (typeof naming !== 'function') return naming;
  const deadline = startDeadline(limits, place);
  const ended = new Promise<undefined>((resolve) => {
    if (deadline.signal.aborted) resolve(undefined);
    else deadline.signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  try {
    const found = await Promise.race([ended, naming()]);
    if (found !== undefined) return found;
  } catch (error) {
    throw notFound(error, place);
  } finally {
    deadline.clear();
  }
  const { code, message, cause } = deadline.failure() as HubError;
  throw new HubError({
    code,
    message: `${message}; the naming of the node was still looked for, give it as \`naming\` to save the search`,
    ...place,
    cause: cause ?? new Error('the search for the naming of the node was not over'),
  });
}

/**
 * Calls a source once and shares the result with concurrent callers. A failure is stored for a second, so that a burst
 * of calls to an unreachable node causes one search.
 */
export function memoiseNaming(find: NamingSource, nowMs: () => number = () => performance.now()): NamingSource {
  let found: Promise<Naming> | undefined;
  let failedAtMs: number | undefined;
  return () => {
    if (found === undefined || (failedAtMs !== undefined && nowMs() - failedAtMs >= failureMs)) {
      failedAtMs = undefined;
      found = find();
      // The callers get the failure itself.
      found.catch(() => {
        failedAtMs = nowMs();
      });
    }
    return found;
  };
}

function notFound(error: unknown, place: Place): HubError {
  return new HubError({
    code: error instanceof HubError ? error.code : 'unknown',
    message: `${placeText(place)}: the names that the node uses cannot be detected: ${errorText(error)}`,
    ...place,
    ...(error instanceof HubError ? { raw: error.raw } : {}),
    cause: error,
  });
}

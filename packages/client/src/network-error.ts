import { type ErrorCode, errorText } from './error.js';
import { codeOfPlatform } from './platform-codes.js';

/** Code and text of a failure. */
interface Failure {
  readonly code: ErrorCode;
  readonly text: string;
}

/** Code and text of a network failure: `unavailable` if the platform's error has no known code. */
export function networkFailure(error: unknown): Failure {
  return platformFailure(error) ?? { code: 'unavailable', text: errorText(error) };
}

/**
 * Code and text of the outermost error whose platform code is known; `undefined` if none is. For a name with several
 * addresses, the text lists the error of each.
 */
export function platformFailure(error: unknown): Failure | undefined {
  for (let inner: unknown = error; inner instanceof Error; inner = inner.cause) {
    // Its own code is that of the first address, and its own message is empty.
    if (inner instanceof AggregateError && inner.errors.length > 0) return ofAddresses(inner.errors as unknown[]);
    const platform = (inner as { code?: unknown }).code;
    if (typeof platform !== 'string') continue;
    const code = codeOfPlatform(platform);
    if (code !== undefined) return { code, text: inner.message === '' ? platform : inner.message };
  }
  return undefined;
}

/** Another failure takes precedence. Reports `refused` only if every address refused. */
function ofAddresses(failures: readonly unknown[]): Failure {
  const each = failures.map(networkFailure);
  const { code } = each.find((failure) => failure.code !== 'refused') ?? { code: 'refused' };
  return { code, text: each.map(({ text }) => text).join('; ') };
}

import { CodegenError } from './codegen-error.js';
import { StaleError } from './stale-error.js';
import { UnreachableError } from './unreachable-error.js';
import { CommandUsageError } from './usage-error.js';

/** Meaning of the exit codes of the command line, as shown in the help. */
export const commandExitCodes = {
  0: 'done, nothing found',
  1: 'something was found: a file is stale, the inputs are not the locked ones, drift, a breaking change',
  2: 'wrong usage or wrong input: nothing was written',
  3: 'an endpoint cannot be reached or does not answer as it should',
  70: 'internal error',
} as const;

export type ExitCode = keyof typeof commandExitCodes;

/** The kind of a failure in the output of `--json`. */
export type FailureKind = 'stale' | 'usage' | 'input' | 'unreachable' | 'internal';

export interface Failure {
  readonly code: ExitCode;
  readonly kind: FailureKind;
}

/** Exit code and kind for a thrown error. */
export function failureOf(error: unknown): Failure {
  if (error instanceof CommandUsageError) return { code: 2, kind: 'usage' };
  if (error instanceof StaleError) return { code: 1, kind: 'stale' };
  if (error instanceof UnreachableError) return { code: 3, kind: 'unreachable' };
  if (error instanceof CodegenError) return { code: 2, kind: 'input' };
  return { code: 70, kind: 'internal' };
}

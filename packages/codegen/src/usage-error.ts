/** The command line is invalid: exit code 2. */
export class CommandUsageError extends Error {
  override readonly name = 'UsageError';
}

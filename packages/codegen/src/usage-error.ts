/** The command line is not one that the program knows: exit code 2. */
export class CommandUsageError extends Error {
  override readonly name = 'UsageError';
}

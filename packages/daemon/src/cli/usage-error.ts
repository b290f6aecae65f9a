/** Wrong use of the command line. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

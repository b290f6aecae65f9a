// Replaces platform-codes when a bundler builds for browsers (`browser` in package.json): browser errors have no string codes.

/** Always `undefined`: a failed fetch is a `TypeError` without a code. */
export function codeOfPlatform(_platformCode: string): undefined {
  return undefined;
}

import type { TestContext } from 'vitest';

/** This machine cannot provide what a test needs, for example the mirror of Debian. */
export class UnavailableHereError extends Error {
  override readonly name = 'UnavailableHereError';
}

/** Skips the test, with the reason, if this machine cannot provide something. Other errors fail the test. */
export async function orSkip<T>(context: TestContext, provided: Promise<T>): Promise<T> {
  try {
    return await provided;
  } catch (error) {
    if (error instanceof UnavailableHereError) context.skip(error.message);
    throw error;
  }
}

import type { HubError } from '../error.js';

/** A call that the server certainly did not process, so that it can be retried. */
export class UnprocessedError extends Error {
  /** The error for the caller if the call cannot be retried. */
  readonly failure: HubError;

  constructor(failure: HubError) {
    super(failure.message);
    this.failure = failure;
  }
}

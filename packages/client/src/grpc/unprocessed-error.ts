import type { HubError } from '../error.js';

/** A call that the server certainly did not process, so that it can be made again. */
export class UnprocessedError extends Error {
  /** What the caller gets when it cannot be made again. */
  readonly failure: HubError;

  constructor(failure: HubError) {
    super(failure.message);
    this.failure = failure;
  }
}

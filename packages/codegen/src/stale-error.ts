import { CodegenError } from './codegen-error.js';

/** The inputs differ from the lock: a finding, like a stale output. */
export class StaleError extends CodegenError {
  override readonly name = 'StaleError';
}

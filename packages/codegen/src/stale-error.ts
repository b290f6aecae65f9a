import { CodegenError } from './codegen-error.js';

/** The inputs are not those that were locked: a finding, as a stale output is one. */
export class StaleError extends CodegenError {
  override readonly name = 'StaleError';
}

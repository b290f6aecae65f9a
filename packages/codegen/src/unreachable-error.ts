import { CodegenError } from './codegen-error.js';

/** The other side does not answer or is not what it should be: nothing that a change of the inputs could mend. */
export class UnreachableError extends CodegenError {
  override readonly name: string = 'UnreachableError';
}

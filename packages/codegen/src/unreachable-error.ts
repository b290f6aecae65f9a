import { CodegenError } from './codegen-error.js';

/** The server does not respond or is not the expected one: not fixable by a change of the inputs. */
export class UnreachableError extends CodegenError {
  override readonly name: string = 'UnreachableError';
}

/** A failure that a person can mend: says what is wrong, where, and what is allowed. Printed without a stack. */
export class CodegenError extends Error {
  override readonly name: string = 'CodegenError';
}

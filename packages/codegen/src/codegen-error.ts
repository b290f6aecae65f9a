/** A failure that a user can fix: states what is wrong, where, and what is allowed. Printed without a stack. */
export class CodegenError extends Error {
  override readonly name: string = 'CodegenError';
}

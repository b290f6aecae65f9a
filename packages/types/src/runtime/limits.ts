/** Maximum nesting depth of messages; deeper nesting is an attack. */
export const maxDepth = 100;

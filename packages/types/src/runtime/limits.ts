/** Messages may stand inside each other this deep; more is an attack. */
export const maxDepth = 100;

/** Exit codes, as the help text tells them. */
export const exitCodes = { done: 0, failed: 1, usage: 2, config: 3 } as const;

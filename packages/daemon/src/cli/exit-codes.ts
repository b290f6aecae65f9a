/** Exit codes of commands that do not document their own. */
export const exitCodes = { done: 0, failed: 1, usage: 2, config: 3 } as const;

/** The exit codes as text, for the help and the docs. */
export const exitCodeText = `Exit codes: ${exitCodes.done} done or stopped on request; ${exitCodes.failed} could not start or failed while running;
${exitCodes.usage} wrong use of the command line; ${exitCodes.config} the configuration cannot be used.`;

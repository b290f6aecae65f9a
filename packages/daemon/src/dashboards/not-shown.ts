/** Metrics that no panel shows, each with the reason. */
export const notShown: Readonly<Record<string, string>> = {};

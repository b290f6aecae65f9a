/** Metrics that no panel shows: name → reason. */
export const notShown: Readonly<Record<string, string>> = {};

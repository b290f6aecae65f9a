/** One row as a check: `run` returns undefined if the answer is equal, otherwise the difference. */
export type RowCheck = { readonly row: string; readonly lane: string; run(): Promise<string | undefined> };

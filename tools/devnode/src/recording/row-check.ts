/** One row as a question with its verdict: undefined if equal, else what differs. */
export type RowCheck = { readonly row: string; readonly lane: string; run(): Promise<string | undefined> };

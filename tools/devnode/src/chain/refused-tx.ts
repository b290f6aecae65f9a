/** Outcome of every transaction on a recorded node: a replay has no mempool and admits nothing. */
export const refusedTx = {
  code: 19,
  codespace: 'sdk',
  log: 'this node replays a recording and takes no transactions',
} as const;

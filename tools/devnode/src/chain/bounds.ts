/** What a node holds. Blocks and states are kept apart: either can reach further back, and a block can be newer than the last state. */
export interface Bounds {
  readonly firstBlock: number;
  readonly lastBlock: number;
  readonly firstState: number;
  readonly lastState: number;
  /** First height that the chain ever had: below it nothing was committed. */
  readonly firstHeight: number;
}

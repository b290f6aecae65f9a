/** Upgrade plan from the upgrade module. */
export interface UpgradePlan {
  readonly name: string;
  readonly height: number;
}

/**
 * Heights that a node can serve. Blocks and states have separate bounds: either can reach further back, and the last
 * block can be newer than the last state.
 */
export interface Bounds {
  readonly firstBlock: number;
  readonly lastBlock: number;
  readonly firstState: number;
  readonly lastState: number;
  /** First height of the chain; nothing was committed below it. */
  readonly firstHeight: number;
  /** Heights between the first and the last state whose states are missing. */
  readonly lostStates?: ReadonlySet<number> | undefined;
  /** The scheduled upgrade plan, if it is known. */
  readonly upgrade?: UpgradePlan | undefined;
  /** The application has not committed a block yet. */
  readonly starting?: boolean;
}

/** A plan of the upgrade module. */
export interface UpgradePlan {
  readonly name: string;
  readonly height: number;
}

/** What a node holds. Blocks and states are kept apart: either can reach further back, and a block can be newer than the last state. */
export interface Bounds {
  readonly firstBlock: number;
  readonly lastBlock: number;
  readonly firstState: number;
  readonly lastState: number;
  /** First height that the chain ever had: below it nothing was committed. */
  readonly firstHeight: number;
  /** States between the first and the last that are gone. */
  readonly lostStates?: ReadonlySet<number> | undefined;
  /** The plan that is set, if it is known. */
  readonly upgrade?: UpgradePlan | undefined;
  /** The application has no block yet. */
  readonly starting?: boolean;
}

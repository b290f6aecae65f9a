import type { Bounds, UpgradePlan } from './bounds.js';

/** Data that a moving node has retained, if less than everything up to its head. */
export interface Held {
  readonly firstBlock?: number;
  readonly firstState?: number;
  /** Last block, if below the playback's head. */
  readonly lastBlock?: number;
  /** Heights above the first state whose states are missing. */
  readonly lostStates?: ReadonlySet<number>;
  /** The chain halts at this plan's height: the block is stored but never executed. */
  readonly upgrade?: UpgradePlan;
  /** The application has not committed a block yet. */
  readonly starting?: boolean;
}

/** Bounds of an archive node, reduced by the data that a test marks as missing. */
export class Retention implements Bounds {
  readonly #all: Bounds;
  #held: Held = {};

  constructor(all: Bounds) {
    this.#all = all;
  }

  hold(held: Held): void {
    this.#held = held;
  }

  get firstHeight(): number {
    return this.#all.firstHeight;
  }

  get firstBlock(): number {
    return this.#held.firstBlock ?? this.#all.firstBlock;
  }

  get lastBlock(): number {
    const last = Math.min(this.#held.lastBlock ?? Infinity, this.#all.lastBlock);
    return Math.min(last, this.#held.upgrade?.height ?? Infinity);
  }

  get firstState(): number {
    return this.#held.firstState ?? this.#all.firstState;
  }

  get lastState(): number {
    const last = this.lastBlock;
    return last === this.#held.upgrade?.height ? last - 1 : last;
  }

  get lostStates(): ReadonlySet<number> | undefined {
    return this.#held.lostStates;
  }

  get upgrade(): UpgradePlan | undefined {
    return this.#held.upgrade;
  }

  get starting(): boolean {
    return this.#held.starting === true;
  }
}

import type { Bounds, UpgradePlan } from './bounds.js';

/** What a node that is being played has kept, where it is not everything up to its head. */
export interface Held {
  readonly firstBlock?: number;
  readonly firstState?: number;
  /** A head below that of the playback. */
  readonly lastBlock?: number;
  /** Heights above the first state whose state is gone. */
  readonly lostStates?: ReadonlySet<number>;
  /** The chain stops here once it gets there: the block is stored and never executed. */
  readonly upgrade?: UpgradePlan;
  /** The application has no block yet. */
  readonly starting?: boolean;
}

/** Bounds of a node that keeps everything, narrowed by what a test says is gone. */
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

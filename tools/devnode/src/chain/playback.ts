import type { BlockStream, RecordedBlock } from './block-stream.js';
import type { Bounds } from './bounds.js';
import { chainNowMs, type DemoClock, wallMsOf } from './demo-clock.js';
import { type Instant, instantMs } from './instant.js';
import type { HubState, StateHistory } from './state-history.js';

export interface PlaybackOptions {
  readonly blocks: BlockStream;
  readonly states: StateHistory;
  /** Head height at the start. */
  readonly from: number;
  /** Chain seconds per wall second; with `manual` the chain moves only by {@link Playback.advanceTo}. */
  readonly speed: number | 'manual';
  readonly shiftMs: number;
}

/** Called for each new block, in order; the next block waits for the returned promise. */
export type BlockListener = (height: number) => void | Promise<void>;

/** A recorded chain in motion: its head, the blocks and states up to the head, and the listeners for new blocks. */
export class Playback {
  readonly blocks: BlockStream;
  readonly states: StateHistory;
  readonly clock: DemoClock;
  readonly #listeners = new Set<BlockListener>();
  #head: number;
  #timer: NodeJS.Timeout | undefined;
  #moving: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(options: PlaybackOptions) {
    this.blocks = options.blocks;
    this.states = options.states;
    this.#head = options.from;
    this.bounds = this.#boundsOfHead();
    this.clock = {
      startWallMs: Date.now(),
      startChainMs: instantMs(this.blocks.time(options.from)) + options.shiftMs,
      speed: options.speed === 'manual' ? 0 : options.speed,
      shiftMs: options.shiftMs,
    };
  }

  /** Bounds of an archive node at the head. */
  readonly bounds: Bounds;

  get first(): number {
    return this.blocks.first;
  }

  get head(): number {
    return this.#head;
  }

  /** Time to display as "now": the clock's time, or the head's block time if the chain is moved manually. */
  nowMs(): number {
    return this.clock.speed === 0 ? instantMs(this.time(this.#head)) : chainNowMs(this.clock);
  }

  /** Displayed block time. */
  time(height: number): Instant {
    return this.shift(this.blocks.time(height));
  }

  shift(instant: Instant): Instant {
    return instant + BigInt(this.clock.shiftMs) * 1_000_000n;
  }

  block(height: number): RecordedBlock {
    return this.blocks.block(height);
  }

  /** Hub state after a height; heights beyond the recording use the last state. */
  state(height: number): HubState {
    return this.states.at(height);
  }

  #boundsOfHead(): Bounds {
    const first = this.blocks.first;
    const head = (): number => this.#head;
    return {
      firstHeight: first,
      firstBlock: first,
      firstState: first,
      get lastBlock() {
        return head();
      },
      get lastState() {
        return head();
      },
    };
  }

  onBlock(listener: BlockListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Plays every block up to `height`. Resolves when all listeners have processed the last one. */
  advanceTo(height: number): Promise<void> {
    if (!this.blocks.has(height)) {
      const { first, last } = this.blocks;
      return Promise.reject(new RangeError(`advanceTo(${height}): the recording has blocks ${first} to ${last}`));
    }
    const moved = this.#moving.then(async () => {
      while (this.#head < height && !this.#stopped) {
        this.#head++;
        for (const listener of [...this.#listeners]) await listener(this.#head);
      }
    });
    // The caller receives a listener's error; it must not affect the next move.
    this.#moving = moved.catch(() => undefined);
    return moved;
  }

  /** Starts the clock. Does nothing in manual mode. The chain stops at the end of the recording. */
  start(): void {
    if (this.clock.speed === 0) return;
    const step = (): void => {
      if (this.#stopped || this.#head >= this.blocks.last) return;
      const due = wallMsOf(this.clock, instantMs(this.time(this.#head + 1)));
      this.#timer = setTimeout(
        () => {
          let target = this.#head + 1;
          const now = this.nowMs();
          while (target < this.blocks.last && instantMs(this.time(target + 1)) <= now) target++;
          // A failing listener does not stop the chain, just as a failing client does not stop a node.
          void this.advanceTo(target)
            .catch((error: unknown) => process.emitWarning(error as Error))
            .then(step);
        },
        Math.max(0, due - Date.now()),
      );
    };
    step();
  }

  /** Stops the clock and any move in progress. */
  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#listeners.clear();
  }
}

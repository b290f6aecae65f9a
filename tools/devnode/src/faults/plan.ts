import type { AnswerFault, ByteFault, Fault, FaultPlan, FrameFault, StreamFault } from './fault.js';
import { seededRandom } from './seeded-random.js';

/** What happens to the first, the second …; when a list is over nothing happens any more. */
export interface Script {
  readonly connections?: readonly (ByteFault | undefined)[];
  readonly answers?: readonly (AnswerFault | undefined)[];
  readonly frames?: readonly (FrameFault | undefined)[];
  readonly streams?: readonly (StreamFault | undefined)[];
}

/** Faults in the order of a list. */
export function scripted(script: Script): FaultPlan {
  const taker = <F>(list: readonly (F | undefined)[] = []): (() => F | undefined) => {
    let next = 0;
    return () => list[next++];
  };
  return {
    connection: taker(script.connections),
    answer: taker(script.answers),
    frame: taker(script.frames),
    stream: taker(script.streams),
  };
}

/** Faults of one layer: how often one strikes, from 0 to 1, and which. */
export interface Chance<F extends Fault> {
  readonly rate: number;
  readonly faults: readonly F[];
}

export interface RandomPlanOptions {
  readonly seed: number;
  readonly connection?: Chance<ByteFault>;
  readonly answer?: Chance<AnswerFault>;
  readonly frame?: Chance<FrameFault>;
  readonly stream?: Chance<StreamFault>;
}

/** Faults that a seed decides. Each layer has a sequence of its own, so that the timing of one does not change another. */
export function randomFaults(options: RandomPlanOptions): FaultPlan {
  const taker = <F extends Fault>(chance: Chance<F> | undefined, salt: number): (() => F | undefined) => {
    const random = seededRandom(options.seed * 4 + salt);
    return () => {
      if (chance === undefined || random() >= chance.rate) return undefined;
      return chance.faults[Math.floor(random() * chance.faults.length)];
    };
  };
  return {
    connection: taker(options.connection, 0),
    answer: taker(options.answer, 1),
    frame: taker(options.frame, 2),
    stream: taker(options.stream, 3),
  };
}

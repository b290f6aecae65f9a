import type { AnswerFault, ByteFault, Fault, FaultPlan, FrameFault, StreamFault } from './fault.js';
import { seededRandom } from './seeded-random.js';

/** Faults for the first, second, … event of each layer; no faults after the end of a list. */
export interface Script {
  readonly connections?: readonly (ByteFault | undefined)[];
  readonly answers?: readonly (AnswerFault | undefined)[];
  readonly frames?: readonly (FrameFault | undefined)[];
  readonly streams?: readonly (StreamFault | undefined)[];
}

/** Injects faults in the order of a list. */
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

/** Faults of one layer: the probability of a fault, from 0 to 1, and the candidates. */
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

/**
 * Injects faults chosen by a seed. Each layer has its own random sequence, so the timing of one layer does not affect
 * another.
 */
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

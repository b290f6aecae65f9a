import { tipBlocks } from './head.js';

/** Polls in a row that must bring nothing but older answers before they are taken. */
const patience = 3;

/** What to do with an answer of a smaller height than one taken before, after every endpoint was asked. */
export type Ruling = 'refuse' | 'accept' | 'chain_went_back';

/**
 * Greatest height taken, by subject. An older answer is no news: endpoints differ by some blocks, and several stand behind
 * one name. It is news when the chain itself went back, by a rollback or a restart from a snapshot: when every endpoint
 * says so, or when nothing newer came in three polls in a row.
 */
export interface HighWater {
  /** Height taken before, when `height` is below it. */
  above(subject: string, height: bigint | undefined): bigint | undefined;
  take(subject: string, height: bigint | undefined): void;
  /** `heads`: what the endpoints of the chain say their newest block is. After an acceptance every subject begins anew. */
  judge(subject: string, height: bigint, heads: readonly bigint[]): Ruling;
}

export const createHighWater = (): HighWater => {
  const taken = new Map<string, bigint>();
  const vain = new Map<string, number>();
  return {
    above(subject, height) {
      const mark = taken.get(subject);
      return height !== undefined && mark !== undefined && height < mark ? mark : undefined;
    },
    take(subject, height) {
      vain.delete(subject);
      if (height !== undefined) taken.set(subject, height);
    },
    judge(subject, height, heads) {
      const mark = taken.get(subject);
      if (mark === undefined) return 'accept';
      const polls = (vain.get(subject) ?? 0) + 1;
      vain.set(subject, polls);
      const isFar = height + tipBlocks < mark;
      const allAgree = isFar && heads.length > 0 && heads.every((head) => head + tipBlocks < mark);
      if (!allAgree && polls < patience) return 'refuse';
      vain.clear();
      taken.clear();
      taken.set(subject, height);
      return isFar ? 'chain_went_back' : 'accept';
    },
  };
};

import type { OlderAnswerError } from '@hubwatch/client/pool';
import { tipBlocks } from './head.js';

/** Polls in a row that must bring nothing but older answers before they are taken. */
const patientPolls = 3;

/** What to do with an answer that is older than one taken before, after every endpoint was asked. */
export type Ruling = 'refuse' | 'accept' | 'chain_went_back';

/**
 * How long older answers are refused. An older answer is no news: endpoints differ by some blocks, and several stand behind
 * one name. It is news when the chain itself went back, by a rollback or a restart from a snapshot: when every endpoint
 * says so, or when nothing newer came in three polls in a row.
 */
export class Patience {
  /** Polls in a row that brought only older answers, by subject. */
  private readonly vain = new Map<string, number>();

  /** A poll brought an answer that was taken. */
  taken(subject: string): void {
    this.vain.delete(subject);
  }

  /** `heads`: what the endpoints of the chain say their newest block is. After an acceptance every subject begins anew. */
  judge(
    subject: string,
    { olderHeight, given }: Pick<OlderAnswerError, 'olderHeight' | 'given'>,
    heads: readonly bigint[],
  ): Ruling {
    const polls = (this.vain.get(subject) ?? 0) + 1;
    this.vain.set(subject, polls);
    const isFar = olderHeight + tipBlocks < given;
    const allAgree = isFar && heads.length > 0 && heads.every((head) => head + tipBlocks < given);
    if (!allAgree && polls < patientPolls) return 'refuse';
    this.vain.clear();
    return isFar ? 'chain_went_back' : 'accept';
  }
}

import type { OlderAnswerError } from '@hubwatch/client/pool';
import { tipBlocks } from './head.js';

/** Number of consecutive polls with only older responses after which such a response is accepted. */
const patientPolls = 3;

/** Decision about a response that is older than one accepted before, after all endpoints were queried. */
export type Ruling = 'refuse' | 'accept' | 'chain_went_back';

/**
 * Decides how long older responses are rejected. Endpoints differ by a few blocks, and one name can have several backends, so
 * an older response is normally ignored. It is accepted if the chain was rolled back or restarted from a snapshot: if all
 * endpoints report lower heights, or if three consecutive polls returned nothing newer.
 */
export class Patience {
  /** Consecutive polls with only older responses, by subject. */
  private readonly vain = new Map<string, number>();

  /** Records that a poll returned an accepted response. */
  taken(subject: string): void {
    this.vain.delete(subject);
  }

  /** @param heads latest heights that the endpoints of the chain report. Accepting a response resets all subjects. */
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

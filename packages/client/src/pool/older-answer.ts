import { HubError } from '../error.js';

/** An answer of the newest state that is older than one given before about the same subject. It is not given to the caller. */
export class OlderAnswerError extends HubError {
  /** Name of the member that answered. */
  readonly member: string;
  /** Its height. */
  readonly olderHeight: bigint;
  /** Height of the answer that was given before. */
  readonly given: bigint;

  constructor(method: string, member: string, olderHeight: bigint, given: bigint) {
    super({
      code: 'unavailable',
      method,
      height: olderHeight,
      message: `${method} at ${member}: answered at height ${olderHeight}, and ${given} was given before`,
    });
    this.member = member;
    this.olderHeight = olderHeight;
    this.given = given;
  }
}

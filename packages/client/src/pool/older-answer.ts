import { HubError } from '../error.js';

/** A response with a lower height than one returned before for the same subject. */
export class OlderAnswerError extends HubError {
  /** Name of the member that sent it. */
  readonly member: string;
  /** Height of the response. */
  readonly olderHeight: bigint;
  /** Height of the response that was returned before. */
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

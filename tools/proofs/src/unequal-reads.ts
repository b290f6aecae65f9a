/** A recorded read whose object over REST is not the one over gRPC, and why. The list may only get shorter. */
export interface UnequalRead {
  readonly group: string;
  readonly reason: string;
}

const contentIsMessage =
  'The content of a proposal of the first gov version is the transaction message of a proposal of the second one; the union of that field does not hold transaction messages, so they stay bytes over gRPC and members over REST.';

export const unequalReads: readonly UnequalRead[] = [
  'stack.gov.v1beta1.Query/Proposal#2@904725',
  'stack.gov.v1beta1.Query/Proposals#status-1@901890',
  'stack.gov.v1beta1.Query/Proposals#depositor@901890',
  'stack.gov.v1beta1.Query/Proposal#2@901890',
  'stack.gov.v1beta1.Query/Proposal#3@901890',
].map((group) => ({ group, reason: contentIsMessage }));

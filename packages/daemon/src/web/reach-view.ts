import { isOtherNode, type ReachReading } from '../checks/node/reach/node-reach.js';
import { cut } from '../words.js';

/** Probe results of the published addresses of a node. */
export const reachView = (node: string, { addresses }: ReachReading) =>
  addresses.map(({ address, outcome }) => ({
    address: cut(address, 200),
    state: outcome.state === 'reached' ? 'reached' : outcome.reason,
    text: outcome.state === 'reached' ? undefined : cut(outcome.text, 200),
    /** Set if a different node answers at the address. */
    otherNode: outcome.state === 'reached' && isOtherNode(node, outcome) === true ? outcome.info?.address : undefined,
  }));

export type ReachView = ReturnType<typeof reachView>;

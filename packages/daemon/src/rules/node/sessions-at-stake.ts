import { nodeSessions } from '../../checks/node/node-sessions.js';
import type { SessionFacts } from '../../checks/node/session-fold.js';
import { amountText, counted } from '../../words.js';
import type { RuleView } from '../rule.js';

/** Maximum number of denominations listed. */
const denomsShown = 5;

const sumText = (sums: ReadonlyMap<string, bigint>): string => {
  const shown = [...sums].slice(0, denomsShown).map(([denom, sum]) => amountText(sum, denom));
  const left = sums.size - shown.length;
  return left > 0 ? `${shown.join(' + ')} and ${counted(left, 'denomination')} more` : shown.join(' + ');
};

const sumsOf = (
  facts: Pick<SessionFacts, 'expected'>,
  part: 'toNode' | 'toStakers' | 'refund' | 'atStake',
): ReadonlyMap<string, bigint> => new Map([...facts.expected].map(([denom, sums]) => [denom, sums[part]]));

/** Amounts for which the sessions of a node would be settled now. */
export const settlementText = (facts: Pick<SessionFacts, 'expected'>): string =>
  facts.expected.size === 0
    ? 'None of its sessions is paid for by traffic or time.'
    : `With the usage reported so far its sessions settle for ${sumText(sumsOf(facts, 'toNode'))} to the node, ${sumText(sumsOf(facts, 'toStakers'))} to stakers and ${sumText(sumsOf(facts, 'refund'))} back to their accounts.`;

/** State of the sessions of a node that became inactive: the chain ended them in the same block. */
export const sessionsEnding = ({ observations }: RuleView, node: string): string => {
  const outcome = observations.outcome(nodeSessions, node);
  if (outcome?.state !== 'known') return 'Its sessions are not known at the moment.';
  const { facts } = outcome.reading;
  const count = [...facts.byStatus.values()].reduce((sum, of) => sum + of, 0);
  return count === 0 ? 'It has no sessions.' : `${counted(count, 'session')} end with it. ${settlementText(facts)}`;
};

/** Possible loss of a node's sessions in a lapse: all active ones end in that block. */
export const sessionsAtStake = ({ observations }: RuleView, node: string): string => {
  const outcome = observations.outcome(nodeSessions, node);
  if (outcome?.state !== 'known') return 'Its sessions are not known at the moment.';
  const { facts } = outcome.reading;
  if (facts.active === 0) return 'No active session is at stake.';
  const lost = sumsOf(facts, 'atStake');
  const money =
    lost.size === 0 ? '' : ` Of deposits paid in for them ${sumText(lost)} is not used yet and would go back.`;
  return `${counted(facts.active, 'active session')} would end with it.${money}`;
};

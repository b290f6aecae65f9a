import { amountText } from '../../words.js';
import { heartbeatMeans } from '../account/heartbeat-means.js';
import type { RuleView } from '../rule.js';

/** Whether the account that pays the heartbeats of a node can pay the next one. */
export const feeText = (view: Pick<RuleView, 'config' | 'observations' | 'head'>, node: string): readonly string[] => {
  const means = heartbeatMeans(view, node);
  if (means === undefined)
    return ['Whether its account can pay a heartbeat is not known: what one costs was not read.'];
  const { fee, shortest, isComplete } = means;
  if (shortest?.beats === 0n)
    return [`Its account cannot pay a heartbeat, which costs ${amountText(fee.amount, fee.denom)}. ${shortest.text}`];
  if (!isComplete)
    return [`Whether ${fee.payer} can pay a heartbeat is not known: the grant that it pays by was not read.`];
  const holds = shortest === undefined ? '' : ` ${shortest.text}`;
  return [`Its account can pay a heartbeat, which costs ${amountText(fee.amount, fee.denom)}.${holds}`];
};

import { convertAddress } from '@hubwatch/client/address';
import type { Verdict } from '../../checks/verdict.js';
import type { RemovedLink } from '../../ledger/removed-links.js';
import { utc } from '../../words.js';
import { nameOf } from '../name-of.js';
import { judgeEach } from '../judge-each.js';
import type { Rule, RuleView } from '../rule.js';

/** How long a removal is reported. */
const toldForMs = 86_400_000;

const judge = (view: RuleView, link: RemovedLink): Verdict => {
  const { plan, node, provider, height, blockMs } = link;
  const at = blockMs === undefined ? '' : ` (${utc(blockMs)})`;
  const base = { subject: `plan-${plan} ${node}`, term: String(height) };
  const title = `${nameOf(view, node)}: linked to plan ${plan} of ${nameOf(view, provider)} again`;
  if (link.isBack) return { ...base, state: 'ok', title, text: `Node: ${node}\nProvider: ${provider}` };
  if (view.head !== undefined && blockMs !== undefined && view.head.timeMs - blockMs > toldForMs)
    return {
      ...base,
      state: 'ok',
      isEnded: true,
      title: `${nameOf(view, node)}: not linked to plan ${plan} again within a day`,
      text: `Node: ${node}\nProvider: ${provider}`,
    };
  return {
    ...base,
    state: 'firing',
    title: `${nameOf(view, node)}: removed from plan ${plan} of ${nameOf(view, provider)}`,
    text: [
      `The link was removed in block ${height}${at}. ${whoText(view, link)}`,
      'Sessions that used the plan on this node are ending, and its subscribers cannot start others there. Only the provider can link the node again, while it leases it.',
      `Node: ${node}`,
      `Provider: ${provider}`,
    ].join('\n'),
    ...causeOf(link),
  };
};

const whoText = (view: RuleView, { cause, lease, sender, provider }: RemovedLink): string => {
  const by = sender === '' ? '' : ` ${senderText(view, sender, provider)}`;
  if (cause === 'message') return `The provider removed it with a message of its own.${by}`;
  if (lease === undefined) return `The chain removed it.${by}`;
  return `It went with lease ${lease.id}, which ${endWords[lease.reason ?? ''] ?? 'ended'}.${by}`;
};

const endWords: Readonly<Record<string, string>> = {
  term: 'ended with its term',
  renewal_failed: 'ended because its renewal failed',
  cancelled: 'the provider ended',
  node_inactive: 'ended because the node went inactive',
  provider_inactive: 'ended because the provider went inactive',
};

const senderText = (view: RuleView, sender: string, provider: string): string =>
  sender === convertAddress(provider, 'account')
    ? `The transaction was sent by ${sender}, the account of ${nameOf(view, provider)}.`
    : `The transaction was sent by ${sender}.`;

/** The provider's own alert covers everything that ended with its status. */
const causeOf = ({ provider, lease }: RemovedLink): Pick<Verdict, 'cause'> =>
  lease?.reason === 'provider_inactive' ? { cause: { rule: 'HubProviderInactive', subject: provider } } : {};

/** Ends of leases whose own alerts name the plans that the node left with them. */
const toldElsewhere: ReadonlySet<string | undefined> = new Set(['node_inactive', 'renewal_failed']);

/** A node was removed from a plan; the events show by whom. Ends when the node is linked again, or after a day. */
export const planNodeUnlinked: Rule = {
  name: 'HubPlanNodeUnlinked',
  severity: 'warning',
  forMs: 0,
  time: 'chain',
  inhibitedBy: [{ rule: 'HubProviderInactive', equal: 'cause' }],
  prometheus: { notInMetrics: 'No metric names the removed links between nodes and plans.' },
  evaluate: (view) =>
    judgeEach(
      view.ledger.removedLinks().filter(({ lease }) => !toldElsewhere.has(lease?.reason)),
      (link) => judge(view, link),
    ),
  isPartial: ({ ledger, head }) => head === undefined || !ledger.isCurrent(),
};

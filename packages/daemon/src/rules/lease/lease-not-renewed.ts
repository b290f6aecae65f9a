import { leaseRenewals, renewalsTarget } from '../../checks/lease/lease-renewals.js';
import type { Verdict } from '../../checks/verdict.js';
import type { LedgerRow } from '../../ledger/ledger-store.js';
import { utc } from '../../words.js';
import type { Rule, RuleView } from '../rule.js';
import { nameOf } from '../name-of.js';
import { partiesOf } from './each-lease.js';

/** How long an end is told of. */
const toldForMs = 900_000;

const judge = (view: RuleView, { record, height, blockMs, node, provider }: LedgerRow): Verdict => ({
  subject: `lease-${record}`,
  term: String(height),
  state: 'firing',
  title: `lease ${record} of ${nameOf(view, node)}: ended, its renewal failed`,
  text: [
    `Its term was over in block ${height}${blockMs === undefined ? '' : ` (${utc(blockMs)})`}, and the chain did not renew it.`,
    ...reasons(view, record),
    '',
    'The node left the plans of this provider with it. The provider has to start another lease.',
    partiesOf(view, { nodeAddress: node, provAddress: provider }),
  ].join('\n'),
});

/** What was found to hinder it when that was last looked at. */
const reasons = ({ observations }: RuleView, record: string): readonly string[] => {
  const outcome = observations.outcome(leaseRenewals, renewalsTarget.key);
  const renewal = outcome?.state === 'known' ? outcome.reading.renewals.get(BigInt(record)) : undefined;
  const failing = renewal?.preconditions.filter(({ holds }) => holds === false) ?? [];
  if (failing.length === 0) return ['Why, the chain does not say; the last look before found nothing that hinders it.'];
  return ['At the last look before:', ...failing.map(({ sentence }) => `- ${sentence}`)];
};

/** The renewal of a lease failed: the chain ends it in the same block and says no more. */
export const leaseNotRenewed: Rule = {
  name: 'HubLeaseNotRenewed',
  severity: 'critical',
  forMs: 0,
  time: 'chain',
  evaluate(view) {
    const { ledger, head } = view;
    if (head === undefined) return [];
    return ledger
      .recentEnds()
      .filter(({ detail, blockMs }) => detail === 'renewal_failed' && head.timeMs - (blockMs ?? 0) <= toldForMs)
      .map((row) => judge(view, row));
  },
  isPartial: ({ head, ledger }) => head === undefined || !ledger.isCurrent(),
};

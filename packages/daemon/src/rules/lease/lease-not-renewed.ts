import { leaseRenewals, renewalsTarget } from '../../checks/lease/lease-renewals.js';
import type { Verdict } from '../../checks/verdict.js';
import type { LedgerRow } from '../../ledger/ledger-row.js';
import { utc } from '../../words.js';
import type { Rule, RuleView } from '../rule.js';
import { nameOf } from '../name-of.js';
import { linksLeft } from '../plan/plans-of-node.js';
import { leasesSeen, partiesOf } from './each-lease.js';

/** How long an end is told of. */
const toldForMs = 86_400_000;

const judge = (view: RuleView, row: LedgerRow): Verdict => {
  const { record, height, blockMs, node, provider } = row;
  const base = { subject: `lease-${record}`, term: String(height) };
  const name = `lease ${record} of ${nameOf(view, node)}`;
  const parties = partiesOf(view, { nodeAddress: node, provAddress: provider });
  const again = leasesSeen(view).find(
    ({ lease }) => lease.nodeAddress === node && lease.provAddress === provider && String(lease.id) !== record,
  );
  if (again !== undefined)
    return { ...base, state: 'ok', title: `${name}: lease ${again.lease.id} is in its place`, text: parties };
  if (isOld(view, row))
    return {
      ...base,
      state: 'ok',
      isEnded: true,
      title: `${name}: not replaced within a day of its end`,
      text: parties,
    };
  return {
    ...base,
    state: 'firing',
    title: `${name}: ended, its renewal failed`,
    text: [
      `Its term was over in block ${height}${blockMs === undefined ? '' : ` (${utc(blockMs)})`}, and the chain did not renew it.`,
      ...reasons(view, record),
      '',
      ...linksLeft(view, { unlinked: unlinkedWith(view, record) }),
      'The provider has to start another lease.',
      parties,
    ].join('\n'),
  };
};

const isOld = ({ head }: RuleView, { blockMs }: LedgerRow): boolean =>
  head === undefined || blockMs === undefined || head.timeMs - blockMs > toldForMs;

/** Plans that the node left because the lease ended. */
const unlinkedWith = ({ ledger }: RuleView, lease: string) =>
  ledger
    .removedLinks()
    .filter((link) => link.lease?.id === lease)
    .map(({ plan, provider }) => ({ plan, provider }));

/** What was found to hinder it when that was last looked at. */
const reasons = ({ observations }: RuleView, record: string): readonly string[] => {
  const outcome = observations.outcome(leaseRenewals, renewalsTarget.key);
  const { renewals, gone } = outcome?.state === 'known' ? outcome.reading : {};
  const id = /^\d{1,20}$/.test(record) ? BigInt(record) : undefined;
  const renewal = id === undefined ? undefined : (renewals?.get(id) ?? gone?.get(id));
  const failing = renewal?.preconditions.filter(({ holds }) => holds === false) ?? [];
  if (failing.length === 0) return ['The chain does not say why; nothing was known before that hindered it.'];
  return ['Known before its end:', ...failing.map(({ sentence }) => `- ${sentence}`)];
};

/** The renewal of a lease failed: the chain ends it in the same block and says no more. */
export const leaseNotRenewed: Rule = {
  name: 'HubLeaseNotRenewed',
  severity: 'critical',
  forMs: 0,
  time: 'chain',
  evaluate: (view) =>
    view.head === undefined
      ? []
      : view.ledger
          .recentEnds()
          .filter(({ detail }) => detail === 'renewal_failed')
          .map((row) => judge(view, row)),
  isPartial: ({ head, ledger }) => head === undefined || !ledger.isCurrent(),
};

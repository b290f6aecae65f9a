import { hasBegunOrIncreased } from '../../checks/prometheus.js';
import { leaseRenewals, renewalsTarget } from '../../checks/lease/lease-renewals.js';
import type { Verdict } from '../../checks/verdict.js';
import type { LedgerRow } from '../../ledger/ledger-row.js';
import { utc } from '../../words.js';
import { judgeEach } from '../judge-each.js';
import type { Rule, RuleView } from '../rule.js';
import { nameOf } from '../name-of.js';
import { linksLeft } from '../plan/plans-of-node.js';
import { leasesSeen, partiesOf, showsLeasesOf } from './each-lease.js';

/** How long an end is reported. */
const toldForMs = 86_400_000;

const judge = (view: RuleView, row: LedgerRow, running: RunningLeases): Verdict => {
  const { record, height, blockMs, node, provider } = row;
  const base = { subject: `lease-${record}`, term: String(height) };
  const name = `lease ${record} of ${nameOf(view, node)}`;
  const parties = partiesOf(view, { nodeAddress: node, provAddress: provider });
  const again = running.get(pairOf(node, provider))?.find((id) => id !== record);
  if (again !== undefined)
    return { ...base, state: 'ok', title: `${name}: lease ${again} is in its place`, text: parties };
  if (isOld(view, row))
    return {
      ...base,
      state: 'ok',
      isEnded: true,
      title: `${name}: not replaced within a day of its end`,
      text: parties,
    };
  if (!showsLeasesOf(view, { nodeAddress: node, provAddress: provider }))
    return {
      ...base,
      state: 'unknown',
      title: `${name}: ended, and the leases that run now are not known`,
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

/** Ids of the running leases, by node and provider. */
type RunningLeases = ReadonlyMap<string, readonly string[]>;

const pairOf = (node: string, provider: string): string => `${node} ${provider}`;

const runningLeases = (view: RuleView): RunningLeases => {
  const ids = new Map<string, string[]>();
  for (const { lease } of leasesSeen(view)) {
    const pair = pairOf(lease.nodeAddress, lease.provAddress);
    const known = ids.get(pair);
    if (known === undefined) ids.set(pair, [String(lease.id)]);
    else known.push(String(lease.id));
  }
  return ids;
};

const isOld = ({ head }: RuleView, { blockMs }: LedgerRow): boolean =>
  head === undefined || blockMs === undefined || head.timeMs - blockMs > toldForMs;

/** Plans that the node left because the lease ended. */
const unlinkedWith = ({ ledger }: RuleView, lease: string) =>
  ledger
    .removedLinks()
    .filter((link) => link.lease?.id === lease)
    .map(({ plan, provider }) => ({ plan, provider }));

/** Reasons against the renewal that the last poll found. */
const reasons = ({ observations }: RuleView, record: string): readonly string[] => {
  const outcome = observations.outcome(leaseRenewals, renewalsTarget.key);
  const { renewals, gone } = outcome?.state === 'known' ? outcome.reading : {};
  const id = /^\d{1,20}$/.test(record) ? BigInt(record) : undefined;
  const renewal = id === undefined ? undefined : (renewals?.get(id) ?? gone?.get(id));
  const failing = renewal?.preconditions.filter(({ holds }) => holds === false) ?? [];
  if (failing.length === 0)
    return ['The chain does not report the reason, and no failed precondition was known before.'];
  return ['Known before its end:', ...failing.map(({ sentence }) => `- ${sentence}`)];
};

/** The renewal of a lease failed. The chain ends the lease in the same block and gives no reason. */
export const leaseNotRenewed: Rule = {
  name: 'HubLeaseNotRenewed',
  severity: 'critical',
  forMs: 0,
  time: 'chain',
  prometheus: {
    expr: hasBegunOrIncreased('hub_lease_ends_total{reason="renewal_failed"}', ['reason'], toldForMs),
    labels: ['reason'],
    summary: 'The renewal of a watched lease failed, and the lease ended',
    description:
      'The node earns nothing from it any more. `hubwatch ledger --entries` and the status page show which lease it is. The provider has to start a new one.',
    difference:
      'In Prometheus it does not name the lease, and fires for a day even if the provider starts a new lease earlier. The first failure since the store was created fires only for ten minutes.',
  },
  evaluate(view) {
    if (view.head === undefined) return [];
    const failed = view.ledger.recentEnds().filter(({ detail }) => detail === 'renewal_failed');
    if (failed.length === 0) return [];
    const running = runningLeases(view);
    return judgeEach(failed, (row) => judge(view, row, running));
  },
  isPartial: ({ head, ledger }) => head === undefined || !ledger.isCurrent(),
};

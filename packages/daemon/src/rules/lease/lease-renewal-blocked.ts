import { fromHead, seconds, withParties } from '../../checks/prometheus.js';
import { renewalHorizonMs, type LeaseRenewal } from '../../checks/lease/renewal-outlooks.js';
import { msOf } from '../../checks/times.js';
import type { Verdict } from '../../checks/verdict.js';
import { type RenewalBlocker, renewalBlockers } from '../../forecast/renewal-blockers.js';
import { counted, utc } from '../../words.js';
import { nameOf } from '../name-of.js';
import type { Rule, RuleView } from '../rule.js';
import { plansAtStake } from '../plan/plans-of-node.js';
import {
  leaseIdentity,
  leasesSeen,
  missesLeases,
  onceForLease,
  partiesOf,
  renewalOf,
  type SeenLease,
} from './each-lease.js';

/** A lease whose renewal is due within a day. */
interface Due extends SeenLease {
  readonly renewal: LeaseRenewal | undefined;
  readonly blockers: readonly RenewalBlocker[];
  readonly leftMs: number;
}

const notNear = onceForLease(
  ({ lease, title }): Verdict => ({
    ...leaseIdentity(lease),
    ...{ state: 'ok', title: `${title}: no renewal is near`, text: '' },
  }),
);

function* evaluate(view: RuleView): Generator<Verdict, void> {
  const byProvider = new Map<string, Due[]>();
  for (const seen of leasesSeen(view)) {
    const { lease, terms, moment, title } = seen;
    const nowMs = moment.head?.timeMs;
    const leftMs = nowMs === undefined ? undefined : msOf(terms.endsAt) - nowMs;
    if (leftMs === undefined)
      yield { ...leaseIdentity(lease), state: 'unknown', title: `${title}: the chain's time is not known`, text: '' };
    else if (leftMs >= renewalHorizonMs) yield notNear(seen, view);
    else {
      const due = dueOf(view, seen, leftMs);
      const ofProvider = byProvider.get(lease.provAddress);
      if (ofProvider === undefined) byProvider.set(lease.provAddress, [due]);
      else ofProvider.push(due);
      yield judge(view, due);
    }
  }
  for (const [provider, due] of byProvider) yield judgeBalance(view, provider, due);
}

const dueOf = (view: RuleView, seen: SeenLease, leftMs: number): Due => {
  const renewal = renewalOf(view, seen.lease);
  const blockers = renewal?.preconditions.filter(({ holds }) => holds === false).map(({ reason }) => reason) ?? [];
  return { ...seen, renewal, blockers, leftMs };
};

const judge = (view: RuleView, { lease, terms, title, renewal, blockers, leftMs }: Due): Verdict => {
  const base = leaseIdentity(lease);
  if (renewal === undefined)
    return { ...base, state: 'unknown', title: `${title}: its renewal has not been checked yet`, text: '' };
  const { forecast, preconditions } = renewal;
  if (blockers.includes('policy_off'))
    return {
      ...base,
      state: 'ok',
      title: `${title}: is not to be renewed`,
      text: partiesOf(view, lease),
      isEnded: true,
    };
  // A short balance is reported once for all leases of the provider.
  if (blockers.length > 0 && blockers.every((reason) => reason === 'balance_short'))
    return { ...base, state: 'ok', title: `${title}: only the balance hinders it`, text: '', passedOn: true };
  if (forecast === undefined) {
    const open = preconditions.filter(({ holds }) => holds === undefined).map(({ sentence }) => `- ${sentence}`);
    return { ...base, state: 'unknown', title: `${title}: whether it renews is open`, text: open.join('\n') };
  }
  if (forecast.renews)
    return { ...base, state: 'ok', title: `${title}: ${forecast.sentence}`, text: partiesOf(view, lease) };
  const failing = preconditions.filter(({ holds }) => holds === false).map(({ sentence }) => `- ${sentence}`);
  return {
    ...base,
    state: 'firing',
    dueMs: msOf(terms.endsAt),
    ...holdOf(view, leftMs),
    title: `${title}: ends at ${utc(msOf(terms.endsAt))}, its renewal will fail`,
    text: [
      'It will end without a renewal, because',
      ...failing,
      '',
      ...blockers.map((reason) => renewalBlockers[reason].advice),
      'The chain tries once, at the end of the term, and sends no event if it fails.',
      ...plansAtStake(view, lease.nodeAddress, [lease]),
      partiesOf(view, lease),
    ].join('\n'),
    ...causeOf(lease.nodeAddress, lease.provAddress, blockers),
  };
};

const rule = 'HubLeaseRenewalBlocked';
const usualHoldMs = 600_000;

/** The hold is dropped if it would use half of the remaining time, or more. */
const holdOf = ({ config }: Pick<RuleView, 'config'>, leftMs: number): Pick<Verdict, 'forMs'> =>
  leftMs <= 2 * (config.alerts.rules[rule]?.for ?? usualHoldMs) ? { forMs: 0 } : {};

/** Alerts that already report the problem. */
const causeOf = (node: string, provider: string, blockers: readonly RenewalBlocker[]): Pick<Verdict, 'cause'> => {
  if (blockers.includes('node_inactive')) return { cause: { rule: 'HubNodeInactive', subject: node } };
  if (blockers.includes('provider_inactive')) return { cause: { rule: 'HubProviderInactive', subject: provider } };
  return {};
};

/** One verdict on all renewals of a provider that only its balance prevents. */
const judgeBalance = (view: RuleView, provider: string, due: readonly Due[]): Verdict => {
  const name = nameOf(view, provider);
  const base = { subject: provider, term: '' };
  const isShort = ({ blockers }: Due): boolean =>
    blockers.length > 0 && blockers.every((reason) => reason === 'balance_short');
  const short = due.filter(isShort).toSorted((a, b) => a.leftMs - b.leftMs);
  const [first] = short;
  if (first === undefined) {
    const isOpen = due.some(({ renewal }) => renewal === undefined || renewal.forecast === undefined);
    const title = `${name}: its balance ${isOpen ? 'may not cover' : 'covers'} the renewals of the next 24 hours`;
    return { ...base, state: isOpen ? 'unknown' : 'ok', title, text: `Provider: ${provider}` };
  }
  return {
    ...base,
    state: 'firing',
    ...holdOf(view, first.leftMs),
    dueMs: msOf(first.terms.endsAt),
    title: `${name}: its balance does not cover ${counted(short.length, 'renewal')}, the first at ${utc(msOf(first.terms.endsAt))}`,
    text: [
      ...short.map(({ terms, title, renewal }) => {
        const why = renewal?.preconditions.find(({ holds }) => holds === false)?.sentence ?? '';
        return `- ${title}, at ${utc(msOf(terms.endsAt))}: ${why}`;
      }),
      '',
      renewalBlockers.balance_short.advice,
      'Renewals are tried in the order in which terms end, each with what the ones before it leave, short leases several times. Hours on own nodes and renewals of subscriptions that are sure to come in before are counted; what people send, withdraw or start anew until then is not.',
      `Provider: ${provider}`,
    ].join('\n'),
  };
};

/** A lease is due for renewal within a day, and in the current state the chain will not renew it. */
export const leaseRenewalBlocked: Rule = {
  name: rule,
  severity: 'critical',
  forMs: usualHoldMs,
  time: 'chain',
  inhibitedBy: [
    { rule: 'HubChainHalted', equal: 'chain' },
    { rule: 'HubNodeInactive', equal: 'cause' },
    { rule: 'HubProviderInactive', equal: 'cause' },
  ],
  prometheus: {
    expr: `${withParties(
      `hub_lease_renewal_expected == 0
and (${fromHead('hub_lease_end_timestamp_seconds', ['lease_id'])} < ${seconds(renewalHorizonMs)})
and ignoring (reason) hub_lease_renewal_blocker{reason!="balance_short"}
unless ignoring (reason) hub_lease_renewal_blocker{reason="policy_off"}`,
    )}
or count without (lease_id, node, denom, renewal_policy) (
  hub_lease_info
  and ignoring (node, provider, denom, renewal_policy) (${fromHead('hub_lease_end_timestamp_seconds', ['lease_id'])} < ${seconds(renewalHorizonMs)})
  and ignoring (node, provider, denom, renewal_policy, reason) hub_lease_renewal_blocker{reason="balance_short"}
  unless ignoring (node, provider, denom, renewal_policy, reason) hub_lease_renewal_blocker{reason!="balance_short"}
)`,
    labels: ['lease_id', 'node', 'provider'],
    summary:
      '{{ if $labels.lease_id }}Lease {{ $labels.lease_id }} of {{ $labels.node }}: the renewal will fail{{ else }}{{ $labels.provider }}: the balance does not cover {{ $value | printf "%.0f" }} renewals{{ end }}',
    description:
      'The term ends within a day. The chain attempts the renewal once, at the end of the term, and emits no event if it fails. `hub_lease_renewal_blocker` shows the reason; docs/alerts.md lists the remedies.',
    difference: 'Prometheus always applies the whole hold; the daemon reports at once when little time is left.',
  },
  evaluate,
  isPartial: missesLeases,
};

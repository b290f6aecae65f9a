import type { Lease } from '@hubwatch/types/gen/forms/hub/lease/v1/lease';
import { nodeLeases } from '../../checks/node/node-leases.js';
import { watchedPlans } from '../../checks/plan/watched-plans.js';
import type { RuleView } from '../rule.js';
import { counted } from '../../words.js';

const plansShown = 20;

/** What a node would lose: its leases, what they pay an hour and what is not yet paid. */
export const leasesAtStake = ({ config, observations }: RuleView, node: string): string => {
  const outcome = observations.outcome(nodeLeases, node);
  if (outcome?.state !== 'known') return 'Its leases are not known at the moment.';
  const { leases } = outcome.reading;
  if (leases.length === 0) return 'No lease is at stake.';
  return [
    `At stake: ${counted(leases.length, 'lease')}, ${sumText(leases, () => 1n)} an hour in all, ${sumText(leases, ({ maxHours, hours }) => maxHours - hours)} not yet paid.`,
    ...leases.map((lease) => {
      const left = lease.maxHours - lease.hours;
      const unpaid = `${left * BigInt(lease.price.quoteValue)}${lease.price.denom}`;
      return `- lease ${lease.id} of ${lease.provAddress}: ${lease.price.quoteValue}${lease.price.denom} an hour, ${left} of ${lease.maxHours} hours unpaid (${unpaid})`;
    }),
    ...planLines({ config, observations }, node, leases),
  ].join('\n');
};

const sumText = (leases: readonly Lease[], hoursOf: (lease: Lease) => bigint): string => {
  const sums = new Map<string, bigint>();
  for (const lease of leases) {
    const { denom, quoteValue } = lease.price;
    sums.set(denom, (sums.get(denom) ?? 0n) + hoursOf(lease) * BigInt(quoteValue));
  }
  return [...sums].map(([denom, sum]) => `${sum}${denom}`).join(' + ');
};

/** Plans that list the node only as long as their provider leases it. */
const planLines = (
  { config, observations }: Pick<RuleView, 'config' | 'observations'>,
  node: string,
  leases: readonly Lease[],
): readonly string[] => {
  const watched = new Set(config.watch.providers.map(({ address }) => address));
  const providers = [...new Set(leases.map(({ provAddress }) => provAddress))];
  const linked = providers
    .filter((provider) => watched.has(provider))
    .flatMap((provider) => {
      const outcome = observations.outcome(watchedPlans, provider);
      if (outcome?.state !== 'known') return [`the plans of ${provider} are not known at the moment`];
      const plans = outcome.reading.plans.filter(({ nodes }) => nodes.includes(node)).slice(0, plansShown);
      return plans.map(({ plan }) => `plan ${plan.id} of ${provider}`);
    });
  const others = providers.filter((provider) => !watched.has(provider)).length;
  return [
    ...(linked.length > 0 ? [`It would leave: ${linked.join(', ')}.`] : []),
    ...(others > 0
      ? [
          `It would leave the plans of ${counted(others, 'provider')} that ${others === 1 ? 'is' : 'are'} not watched too.`,
        ]
      : []),
  ];
};

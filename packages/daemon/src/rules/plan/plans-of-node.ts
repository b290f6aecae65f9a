import type { Lease } from '@hubwatch/types/gen/forms/hub/lease/v1/lease';
import { type PlanReading, watchedPlans } from '../../checks/plan/watched-plans.js';
import type { Lapse } from '../../ledger/lapses.js';
import { counted } from '../../words.js';
import { nameOf } from '../name-of.js';
import type { RuleView } from '../rule.js';

type View = Pick<RuleView, 'config' | 'observations'>;

/** Maximum number of plans of one provider that are named. */
const plansShown = 20;

/** Plans that a node would leave: they list it only while their provider leases it. */
export const plansAtStake = (view: View, node: string, leases: readonly Pick<Lease, 'provAddress'>[]): string[] => {
  const { config, observations } = view;
  const watched = new Set(config.watch.providers.map(({ address }) => address));
  const providers = [...new Set(leases.map(({ provAddress }) => provAddress))];
  const plans: string[] = [];
  const unread: string[] = [];
  for (const provider of providers.filter((one) => watched.has(one))) {
    const outcome = observations.outcome(watchedPlans, provider);
    if (outcome?.state !== 'known') unread.push(nameOf(view, provider));
    else
      plans.push(
        ...planNames(
          view,
          provider,
          outcome.reading.plans.filter(({ nodes }) => nodes.includes(node)),
        ),
      );
  }
  const others = providers.filter((provider) => !watched.has(provider)).length;
  return [
    ...(plans.length > 0 ? [`It would leave: ${plans.join(', ')}.`] : []),
    ...(unread.length > 0 ? [`Whether it is in plans of ${unread.join(', ')} is not known at the moment.`] : []),
    ...(others > 0
      ? [
          `It would also leave any plan of ${counted(others, 'provider')} that ${others === 1 ? 'is' : 'are'} not watched.`,
        ]
      : []),
  ];
};

const planNames = (view: View, provider: string, plans: readonly PlanReading[]): readonly string[] => [
  ...plans.slice(0, plansShown).map(({ plan }) => `plan ${plan.id} of ${nameOf(view, provider)}`),
  ...(plans.length > plansShown
    ? [`${counted(plans.length - plansShown, 'more plan')} of ${nameOf(view, provider)}`]
    : []),
];

/** Plans that a node left in the block of its lapse, from the events of that block; empty if it left none. */
export const linksLeft = (view: Pick<RuleView, 'config'>, lapse: Pick<Lapse, 'unlinked'> | undefined): string[] => {
  const links = lapse?.unlinked ?? [];
  if (links.length === 0) return [];
  const shown = links.slice(0, plansShown).map(({ plan, provider }) => `plan ${plan} of ${nameOf(view, provider)}`);
  const more = links.length > plansShown ? ` and ${links.length - plansShown} more` : '';
  return [`It left: ${shown.join(', ')}${more}.`];
};

import type { Lease } from '@hubwatch/types/gen/forms/hub/lease/v1/lease';
import { type PlanReading, watchedPlans } from '../../checks/plan/watched-plans.js';
import { counted } from '../../words.js';
import { nameOf } from '../name-of.js';
import type { RuleView } from '../rule.js';

type View = Pick<RuleView, 'config' | 'observations'>;

/** Plans of one provider that are named. */
const plansShown = 20;

/** Plans that a node would leave: they list it only as long as their provider leases it. */
export const plansAtStake = (view: View, node: string, leases: readonly Pick<Lease, 'provAddress'>[]): string[] =>
  planLines(
    view,
    leases.map(({ provAddress }) => provAddress),
    'It would leave',
    ({ nodes }) => nodes.includes(node),
  );

/**
 * Plans that a node left with its leases. A reading from before still lists it; in one from after, its link is among those that
 * were missed since.
 * @param providers of the leases that ended
 * @param sinceMs block time of the lapse
 */
export const plansLeft = (view: View, node: string, providers: readonly string[], sinceMs: number): string[] =>
  planLines(
    view,
    providers,
    'It left',
    ({ nodes, lost }) => nodes.includes(node) || lost.some((link) => link.node === node && link.atMs >= sinceMs),
  );

const planLines = (
  { config, observations }: View,
  ofLeases: readonly string[],
  leaves: string,
  isConcerned: (plan: PlanReading) => boolean,
): string[] => {
  const watched = new Set(config.watch.providers.map(({ address }) => address));
  const providers = [...new Set(ofLeases)];
  const linked = providers
    .filter((provider) => watched.has(provider))
    .flatMap((provider) => {
      const outcome = observations.outcome(watchedPlans, provider);
      if (outcome?.state !== 'known')
        return [`the plans of ${nameOf({ config }, provider)} are not known at the moment`];
      const plans = outcome.reading.plans.filter(isConcerned).slice(0, plansShown);
      return plans.map(({ plan }) => `plan ${plan.id} of ${nameOf({ config }, provider)}`);
    });
  const others = providers.filter((provider) => !watched.has(provider)).length;
  return [
    ...(linked.length > 0 ? [`${leaves}: ${linked.join(', ')}.`] : []),
    ...(others > 0
      ? [`${leaves} the plans of ${counted(others, 'provider')} that ${others === 1 ? 'is' : 'are'} not watched too.`]
      : []),
  ];
};

import type { Lease } from '@hubwatch/types/gen/forms/hub/lease/v1/lease';
import type { Moment } from '../../checks/check.js';
import { leaseRenewals, renewalsTarget } from '../../checks/lease/lease-renewals.js';
import type { LeaseRenewal } from '../../checks/lease/renewal-outlooks.js';
import type { UnpaidHour } from '../../checks/lease/unpaid-hours.js';
import { nodeLeases } from '../../checks/node/node-leases.js';
import { nodeTargets } from '../../checks/node/watched-nodes.js';
import { providerTargets, watchedProviders } from '../../checks/provider/watched-providers.js';
import { msOf } from '../../checks/times.js';
import type { Verdict } from '../../checks/verdict.js';
import { type LeaseTerms, leaseTerms } from '../../forecast/lease-terms.js';
import { utc } from '../../words.js';
import { nameOf } from '../name-of.js';
import type { RuleView } from '../rule.js';

/** A running lease of a watched node or provider as it was last read. */
export interface SeenLease {
  readonly lease: Lease;
  readonly terms: LeaseTerms;
  readonly moment: Moment;
  readonly height: bigint | undefined;
  readonly unpaid: UnpaidHour | undefined;
  /** `lease 17 of frankfurt-1` */
  readonly title: string;
}

interface Reading {
  readonly leases: readonly Lease[];
  readonly height: bigint | undefined;
  readonly unpaid?: ReadonlyMap<bigint, UnpaidHour>;
}

/** Every lease that is watched, once each; those of a node or provider that was not read are missing. */
export const leasesSeen = (view: RuleView): readonly SeenLease[] => {
  const { observations, config } = view;
  const seen = new Map<bigint, SeenLease>();
  const take = (outcome: { state: string; reading?: Reading; moment: Moment } | undefined): void => {
    if (outcome?.state !== 'known' || outcome.reading === undefined) return;
    const { leases, height, unpaid } = outcome.reading;
    for (const lease of leases) {
      const terms = leaseTerms(lease);
      if (terms === undefined || seen.has(lease.id)) continue;
      const title = `lease ${lease.id} of ${nameOf(view, lease.nodeAddress)}`;
      seen.set(lease.id, { lease, terms, moment: outcome.moment, height, unpaid: unpaid?.get(lease.id), title });
    }
  };
  for (const { key } of nodeTargets(config)) take(observations.outcome(nodeLeases, key));
  for (const { key } of providerTargets(config)) take(observations.outcome(watchedProviders, key));
  return [...seen.values()];
};

/** Whether a watched node or provider could not be read, so that leases may be missing. */
export const missesLeases = ({ observations, config }: RuleView): boolean =>
  nodeTargets(config).some(({ key }) => observations.outcome(nodeLeases, key)?.state !== 'known') ||
  providerTargets(config).some(({ key }) => observations.outcome(watchedProviders, key)?.state !== 'known');

/** What was found about the renewal of the term that runs now; `undefined` when it was not looked at yet. */
export const renewalOf = ({ observations }: Pick<RuleView, 'observations'>, lease: Lease): LeaseRenewal | undefined => {
  const outcome = observations.outcome(leaseRenewals, renewalsTarget.key);
  if (outcome?.state !== 'known') return undefined;
  const found = outcome.reading.renewals.get(lease.id);
  return found !== undefined && termOf(found.lease) === termOf(lease) ? found : undefined;
};

/** Subject and term of a lease's alerts: a renewal is another term. */
export const identityOf = (lease: Lease): Pick<Verdict, 'subject' | 'term'> => ({
  subject: `lease-${lease.id}`,
  term: termOf(lease),
});

const termOf = ({ startAt }: Lease): string => (startAt === undefined ? '' : utc(msOf(startAt)));

/** Who has the lease, for the end of a notice. */
export const partiesOf = (
  view: RuleView,
  { nodeAddress, provAddress }: Pick<Lease, 'nodeAddress' | 'provAddress'>,
): string =>
  [
    `Node: ${withAddress(nameOf(view, nodeAddress), nodeAddress)}`,
    `Provider: ${withAddress(nameOf(view, provAddress), provAddress)}`,
  ].join('\n');

const withAddress = (name: string, address: string): string => (name === address ? address : `${name} (${address})`);

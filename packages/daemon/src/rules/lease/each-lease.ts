import type { Lease } from '@hubwatch/types/gen/forms/hub/lease/v1/lease';
import type { Moment, Outcome } from '../../checks/check.js';
import { leaseRenewals, renewalsTarget } from '../../checks/lease/lease-renewals.js';
import type { LeaseRenewal } from '../../checks/lease/renewal-outlooks.js';
import type { UnpaidHour } from '../../checks/lease/unpaid-hours.js';
import { nodeLeases } from '../../checks/node/node-leases.js';
import { nodeTargets } from '../../checks/node/watched-nodes.js';
import { providerTargets, watchedProviders } from '../../checks/provider/watched-providers.js';
import { msOf } from '../../checks/times.js';
import type { Verdict } from '../../checks/verdict.js';
import type { Config } from '../../config/schema.js';
import { type LeaseTerms, leaseTerms } from '../../forecast/lease-terms.js';
import { utc } from '../../words.js';
import { nameOf } from '../name-of.js';
import type { RuleView } from '../rule.js';

/** A running lease of a watched node or provider, as it was last read. */
export interface SeenLease {
  readonly lease: Lease;
  readonly terms: LeaseTerms;
  readonly moment: Moment;
  readonly height: bigint | undefined;
  readonly unpaid: UnpaidHour | undefined;
  /** For example `lease 17 of frankfurt-1`. */
  readonly title: string;
}

interface Reading {
  readonly leases: readonly Lease[];
  readonly height: bigint | undefined;
  readonly unpaid?: ReadonlyMap<bigint, UnpaidHour>;
}

/** Yields every watched lease once; leases of nodes or providers that were not read are missing. */
export function* leasesSeen(view: RuleView): Generator<SeenLease, void> {
  const taken = new Set<bigint>();
  for (const outcome of leaseOutcomes(view)) {
    if (outcome?.state !== 'known') continue;
    for (const seen of leasesIn(view, outcome)) {
      if (taken.has(seen.lease.id)) continue;
      taken.add(seen.lease.id);
      yield seen;
    }
  }
}

function* leaseOutcomes({ observations, config }: RuleView): Generator<Outcome<Reading> | undefined, void> {
  for (const { key } of nodeTargets(config)) yield observations.outcome(nodeLeases, key);
  for (const { key } of providerTargets(config)) yield observations.outcome(watchedProviders, key);
}

type Known = Extract<Outcome<Reading>, { state: 'known' }>;

/** Leases of a reading, which several rules iterate in many rounds. */
const inReading = new WeakMap<Known, { readonly config: Config; readonly leases: readonly SeenLease[] }>();

const leasesIn = (view: Pick<RuleView, 'config'>, outcome: Known): readonly SeenLease[] => {
  const known = inReading.get(outcome);
  if (known?.config === view.config) return known.leases;
  const { moment, reading } = outcome;
  const { height, unpaid } = reading;
  const leases = reading.leases.flatMap((lease): SeenLease[] => {
    const terms = leaseTerms(lease);
    const title = `lease ${lease.id} of ${nameOf(view, lease.nodeAddress)}`;
    return terms === undefined ? [] : [{ lease, terms, moment, height, unpaid: unpaid?.get(lease.id), title }];
  });
  inReading.set(outcome, { config: view.config, leases });
  return leases;
};

/** Caches a verdict that depends only on a lease as it was read. */
export const onceForLease = (
  judge: (seen: SeenLease, view: Pick<RuleView, 'config'>) => Verdict,
): ((seen: SeenLease, view: Pick<RuleView, 'config'>) => Verdict) => {
  const made = new WeakMap<SeenLease, Verdict>();
  return (seen, view) => {
    const verdict = made.get(seen) ?? judge(seen, view);
    made.set(seen, verdict);
    return verdict;
  };
};

/** Whether a watched node or provider could not be read, so that leases may be missing. */
export const missesLeases = (view: RuleView): boolean => {
  for (const outcome of leaseOutcomes(view)) if (outcome?.state !== 'known') return true;
  return false;
};

/** Whether the current leases between a node and a provider are known, from either of the two. */
export const showsLeasesOf = (
  { observations, config }: Pick<RuleView, 'observations' | 'config'>,
  { nodeAddress, provAddress }: Pick<Lease, 'nodeAddress' | 'provAddress'>,
): boolean =>
  (nodeTargets(config).some(({ key }) => key === nodeAddress) &&
    observations.outcome(nodeLeases, nodeAddress)?.state === 'known') ||
  (providerTargets(config).some(({ key }) => key === provAddress) &&
    observations.outcome(watchedProviders, provAddress)?.state === 'known');

/** Renewal outlook of the current term; `undefined` if it was not read yet. */
export const renewalOf = ({ observations }: Pick<RuleView, 'observations'>, lease: Lease): LeaseRenewal | undefined => {
  const outcome = observations.outcome(leaseRenewals, renewalsTarget.key);
  if (outcome?.state !== 'known') return undefined;
  const found = outcome.reading.renewals.get(lease.id);
  return found !== undefined && isSameTerm(found.lease, lease) ? found : undefined;
};

/** Subject and term of a lease's alerts: a renewal starts another term. */
export const leaseIdentity = (lease: Lease): Pick<Verdict, 'subject' | 'term'> => ({
  subject: `lease-${lease.id}`,
  term: termOf(lease),
});

/** Compares terms with a precision of one second, as they are stored. */
const isSameTerm = (a: Lease, b: Lease): boolean =>
  a.startAt?.seconds === b.startAt?.seconds || termOf(a) === termOf(b);

const termOf = ({ startAt }: Lease): string => (startAt === undefined ? '' : utc(msOf(startAt)));

/** Node and provider of the lease, for the end of a notice. */
export const partiesOf = (
  view: Pick<RuleView, 'config'>,
  { nodeAddress, provAddress }: Pick<Lease, 'nodeAddress' | 'provAddress'>,
): string =>
  [
    `Node: ${withAddress(nameOf(view, nodeAddress), nodeAddress)}`,
    `Provider: ${withAddress(nameOf(view, provAddress), provAddress)}`,
  ].join('\n');

const withAddress = (name: string, address: string): string => (name === address ? address : `${name} (${address})`);

import type { Entry, EntryKind } from './entry.js';
import type { Touched } from './touched-accounts.js';

/** Jobs whose readings an event invalidates. Payouts and heartbeats are expected; their jobs run on schedule. */
const jobs: Partial<Record<EntryKind, readonly string[]>> = {
  node_inactive: ['nodes', 'leases', 'renewals'],
  provider_active: ['providers', 'renewals'],
  provider_inactive: ['providers', 'leases', 'renewals'],
  lease_created: ['leases', 'providers', 'renewals'],
  lease_renewed: ['leases', 'renewals'],
  lease_updated: ['leases', 'renewals'],
  lease_ended: ['leases', 'providers', 'renewals'],
  plan_linked: ['plans'],
  plan_unlinked: ['plans'],
  subscription_created: ['subscriptions'],
  subscription_renewed: ['subscriptions'],
  subscription_ended: ['subscriptions'],
};

/** Events that also invalidate readings of subjects that they do not name: leases of a provider are on many nodes. */
const farReaching: ReadonlySet<EntryKind> = new Set(['provider_active', 'provider_inactive']);

/** Jobs that read all subjects together. */
const wholeJobs: ReadonlySet<string> = new Set(['renewals']);

/** Subjects to read again, by job; `undefined` for all of them. */
export type News = Map<string, Set<string> | undefined>;

/** Adds the readings that an event invalidates. */
export const addNews = (
  news: News,
  { kind, node, provider, account }: Pick<Entry, 'kind' | 'node' | 'provider' | 'account'>,
): void => {
  for (const job of jobs[kind] ?? [])
    addSubjects(news, job, farReaching.has(kind) || wholeJobs.has(job) ? undefined : [node, provider, account]);
};

export const addSubjects = (news: News, job: string, subjects: readonly string[] | undefined): void => {
  const known = news.get(job);
  if (subjects === undefined || (news.has(job) && known === undefined)) news.set(job, undefined);
  else news.set(job, new Set([...(known ?? []), ...subjects]));
};

/**
 * Adds the accounts whose balances and grants a block changed; `fees` is the subject of the job that reads fee payers.
 */
export const addTouched = (news: News, { balances, grants }: Touched, fees: string): void => {
  if (balances.size > 0) {
    addSubjects(news, 'accounts', [...balances]);
    addSubjects(news, 'fees', [fees, ...balances]);
  }
  if (grants.size > 0) addSubjects(news, 'fee_grants', [...grants]);
};

import type { Entry, EntryKind } from './entry.js';

/** Jobs whose readings an event makes old. Payouts and heartbeats are what they expect; those are left to their timetable. */
const jobs: Partial<Record<EntryKind, readonly string[]>> = {
  node_inactive: ['nodes', 'leases'],
  provider_active: ['providers'],
  provider_inactive: ['providers', 'leases'],
  lease_created: ['leases', 'providers'],
  lease_renewed: ['leases'],
  lease_updated: ['leases'],
  lease_ended: ['leases', 'providers'],
};

/** Events after which the readings of subjects that they do not name are old too: leases of a provider stand on many nodes. */
const farReaching: ReadonlySet<EntryKind> = new Set(['provider_active', 'provider_inactive']);

/** By job, the subjects that it should look at again; `undefined` for all of them. */
export type News = Map<string, Set<string> | undefined>;

/** Adds what an event makes old. */
export const addNews = (
  news: News,
  { kind, node, provider, account }: Pick<Entry, 'kind' | 'node' | 'provider' | 'account'>,
): void => {
  for (const job of jobs[kind] ?? [])
    addSubjects(news, job, farReaching.has(kind) ? undefined : [node, provider, account]);
};

export const addSubjects = (news: News, job: string, subjects: readonly string[] | undefined): void => {
  const known = news.get(job);
  if (subjects === undefined || (news.has(job) && known === undefined)) news.set(job, undefined);
  else news.set(job, new Set([...(known ?? []), ...subjects]));
};

import type { EntryKind } from './hub-events.js';

/** Jobs whose readings an event makes old. Payouts and heartbeats are what they expect; those are left to their timetable. */
const jobs: Partial<Record<EntryKind, readonly string[]>> = {
  node_inactive: ['nodes', 'leases'],
  provider_active: ['providers'],
  provider_inactive: ['providers', 'leases'],
  lease_created: ['leases', 'providers'],
  lease_renewed: ['leases'],
  lease_ended: ['leases', 'providers'],
};

/** Names of the jobs that should look again after events of these kinds. */
export const jobsToWake = (kinds: Iterable<EntryKind>): ReadonlySet<string> =>
  new Set([...kinds].flatMap((kind) => jobs[kind] ?? []));

import { type Found } from './problem.js';
import { shownKey } from './quoted.js';
import { listMember } from './repeated-names.js';
import type { Config } from './schema.js';

/**
 * Names of the endpoints that are queried for complete lists: the own ones, or those named in the file. Empty: there
 * are no sweeps.
 */
export const sweepEndpoints = ({ sweeps, endpoints }: Pick<Config, 'sweeps' | 'endpoints'>): readonly string[] =>
  sweeps.enabled ? (sweeps.endpoints ?? endpoints.filter(({ role }) => role === 'own').map(({ name }) => name)) : [];

/** Finds a schedule in addition to an interval: one of them would be ignored. */
export const twoSweepTimes = (written: unknown): readonly Found[] => {
  const sweeps = listMember(written, 'sweeps');
  return listMember(sweeps, 'cron') === undefined || listMember(sweeps, 'every') === undefined
    ? []
    : [{ path: ['sweeps', 'cron'], message: 'lists are swept by `every` or by `cron`; leave one of them out' }];
};

/** Names under `sweeps.endpoints` that no endpoint has. */
export const strangeSweepEndpoints = (written: unknown): readonly Found[] => {
  const endpoints = listMember(written, 'endpoints');
  const asked = listMember(listMember(written, 'sweeps'), 'endpoints');
  if (!Array.isArray(endpoints) || !Array.isArray(asked)) return [];
  const names = new Set(
    endpoints.map((endpoint) => listMember(endpoint, 'name')).filter((name) => typeof name === 'string'),
  );
  return asked.flatMap((name: unknown, index): Found[] =>
    typeof name !== 'string' || names.has(name)
      ? []
      : [
          {
            path: ['sweeps', 'endpoints', index],
            message: `no endpoint has this name. Allowed: ${[...names].slice(0, 20).map(shownKey).join(', ')}`,
          },
        ],
  );
};

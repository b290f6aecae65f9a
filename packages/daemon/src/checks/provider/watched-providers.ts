import { StatusTable } from '@hubwatch/types/gen/forms/hub/types/v1/status';
import { queryLeasesForProvider } from '@hubwatch/types/gen/methods/hub/lease/v1/query-service';
import { queryProvider } from '@hubwatch/types/gen/methods/hub/provider/v2/query-service';
import { readPages } from '../../endpoints/pages.js';
import type { Check, Target } from '../check.js';
import { enumText, enumTexts } from '../../enum-text.js';
import { gauge, sample, stateSamples, stateset } from '../family.js';

interface ProviderReading {
  readonly status: string;
  readonly leases: number;
  readonly height: bigint | undefined;
}

const status = stateset('hub_provider_status', ['provider', 'status'], 'Status on the chain');
const leases = gauge('hub_provider_leases', ['provider'], 'Leases that the provider runs');

/** Status and number of leases of every watched provider, both at one height. */
export const watchedProviders: Check<Target, ProviderReading> = {
  name: 'providers',
  families: [status, leases],
  everyMs: (config) => config.poll.leases,
  targets: (config) => config.watch.providers.map(({ address }) => ({ key: address })),
  collect: (target, { pool, signal }) =>
    pool.read(`provider ${target.key}`, signal, async (source) => {
      const { message, height } = await source.call(queryProvider, { address: target.key });
      let count = 0;
      await readPages(
        source,
        { method: queryLeasesForProvider, request: { address: target.key }, items: (page) => page.leases, height },
        (page) => {
          count += page.length;
        },
      );
      return { status: enumText(StatusTable, message.provider.status), leases: count, height };
    }),
  metrics: ({ key }, reading) => [
    ...stateSamples(status, [key], enumTexts(StatusTable), reading.status),
    sample(leases, [key], reading.leases),
  ],
};

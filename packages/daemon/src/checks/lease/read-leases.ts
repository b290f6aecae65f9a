import type { Lease } from '@hubwatch/types/gen/forms/hub/lease/v1/lease';
import { queryLeasesForNode, queryLeasesForProvider } from '@hubwatch/types/gen/methods/hub/lease/v1/query-service';
import { readPages } from '../../endpoints/pages.js';
import type { Source } from '../../endpoints/sources.js';

const methods = { node: queryLeasesForNode, provider: queryLeasesForProvider };

/** Reads every lease of a node or a provider, at one height. */
export const readLeases = async (
  source: Source,
  of: keyof typeof methods,
  address: string,
  at?: bigint,
): Promise<{ readonly leases: readonly Lease[]; readonly height: bigint | undefined }> => {
  const leases: Lease[] = [];
  const items = (page: { readonly leases: readonly Lease[] }): readonly Lease[] => page.leases;
  const walk = { method: methods[of], request: { address }, items, height: at };
  const { height } = await readPages(source, walk, (page) => leases.push(...page));
  return { leases, height };
};

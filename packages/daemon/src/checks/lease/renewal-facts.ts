import { convertAddress } from '@hubwatch/client/address';
import type { Lease } from '@hubwatch/types/gen/forms/hub/lease/v1/lease';
import type { Params } from '@hubwatch/types/gen/forms/hub/lease/v1/params';
import type { Node } from '@hubwatch/types/gen/forms/hub/node/v3/node';
import type { Asset } from '@hubwatch/types/gen/forms/hub/oracle/v1/asset';
import type { Status } from '@hubwatch/types/gen/forms/hub/types/v1/status';
import { queryParams } from '@hubwatch/types/gen/methods/hub/lease/v1/query-service';
import { queryNode } from '@hubwatch/types/gen/methods/hub/node/v3/query-service';
import { queryAssets } from '@hubwatch/types/gen/methods/hub/oracle/v1/query-service';
import { queryProvider } from '@hubwatch/types/gen/methods/hub/provider/v2/query-service';
import { spendableBalances } from '@hubwatch/types/gen/methods/stack/bank/v1beta1/query';
import { readPages } from '../../endpoints/pages.js';
import type { Source } from '../../endpoints/sources.js';
import { cachedRead } from '../cached-read.js';
import type { CollectContext } from '../check.js';
import { unlessAbsent } from '../unless-absent.js';
import { readLeases } from './read-leases.js';

/** Maximum number of providers and nodes read in one round; leases of others stay open. */
const mostProviders = 50;
const mostNodes = 100;
/** Maximum number of pages with the balances of one account; a page has 200 denominations. */
const mostBalancePages = 10;

/** Data that determines renewals, read once per round at one height for all leases. */
export interface RenewalRecords {
  readonly height: bigint | undefined;
  readonly params: Params;
  readonly assets: readonly Asset[];
  /** By address; providers that were not read are missing. */
  readonly providers: ReadonlyMap<string, ProviderRecords>;
  readonly nodes: ReadonlyMap<string, Node>;
}

export interface ProviderRecords {
  /** `undefined` if the chain has no such provider. */
  readonly status: Status | undefined;
  /** All leases, because the cost of one renewal reduces the balance for the next one of the same provider. */
  readonly leases: readonly Lease[];
  /** Spendable balances of its account by denomination; a missing denomination is a balance of zero. */
  readonly balances: ReadonlyMap<string, bigint>;
}

export interface WatchedAddresses {
  readonly nodes: readonly string[];
  readonly providers: readonly string[];
}

/** Reads more nodes into the records, up to the limit of a round. */
export type ReadNodes = (addresses: readonly string[]) => Promise<void>;

/** Cache name under which checks share the leases of a node. */
export const leasesOn = (node: string): string => `leases on ${node}`;

/** Reads the records for the leases of watched nodes and providers, one request at a time. */
export const readRenewalRecords = async (
  context: Pick<CollectContext, 'memory' | 'clock' | 'config'>,
  source: Source,
  watched: WatchedAddresses,
): Promise<{ readonly records: RenewalRecords; readonly readNodes: ReadNodes }> => {
  const { message, height } = await source.call(queryParams, {});
  const assets: Asset[] = [];
  const walk = { method: queryAssets, request: {}, items: (page: { assets: readonly Asset[] }) => page.assets, height };
  await readPages(source, walk, (page) => assets.push(...page));

  // Only their provider is used: the leases themselves are in the lists of their providers.
  const onNodes: Lease[] = [];
  const { renewals } = context.config.poll;
  for (const address of watched.nodes) {
    const read = async () => (await readLeases(source, 'node', address, height)).leases;
    onNodes.push(...(await cachedRead(context, leasesOn(address), 2 * renewals, read)));
  }
  const providers = new Map<string, ProviderRecords>();
  const concerned = new Set([...watched.providers, ...onNodes.map(({ provAddress }) => provAddress)]);
  for (const address of [...concerned].filter(isAddress).slice(0, mostProviders))
    providers.set(address, await readProvider(source, address, height));

  const nodes = new Map<string, Node>();
  const asked = new Set<string>();
  const readNodes: ReadNodes = async (addresses) => {
    for (const address of addresses.filter(isAddress)) {
      if (asked.has(address) || asked.size >= mostNodes) continue;
      asked.add(address);
      const found = await unlessAbsent(source.call(queryNode, { address }, height));
      if (found?.message.node !== undefined) nodes.set(address, found.message.node);
    }
  };
  return { records: { height, params: message.params, assets, providers, nodes }, readNodes };
};

const readProvider = async (source: Source, address: string, height: bigint | undefined): Promise<ProviderRecords> => {
  const found = await unlessAbsent(source.call(queryProvider, { address }, height));
  const { leases } = await readLeases(source, 'provider', address, height);
  return {
    status: found?.message.provider.status,
    leases,
    balances: await readBalances(source, convertAddress(address, 'account'), height),
  };
};

/** Reads the spendable balances of an account by denomination. */
export const readBalances = async (
  source: Source,
  address: string,
  height: bigint | undefined,
): Promise<ReadonlyMap<string, bigint>> => {
  const balances = new Map<string, bigint>();
  await readPages(
    source,
    {
      method: spendableBalances,
      request: { address },
      items: (page) => page.balances,
      height,
      maxPages: mostBalancePages,
    },
    (page) => {
      for (const { denom, amount } of page) balances.set(denom, BigInt(amount));
    },
  );
  return balances;
};

/** Whether the text can be used in a request: an endpoint may return any text as an address. */
const isAddress = (text: string): boolean => {
  try {
    return convertAddress(text, 'account') !== '';
  } catch {
    return false;
  }
};

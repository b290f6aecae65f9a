import type { Endpoint } from './endpoint.js';

/** Selects the trusted chain id. The choice is made once; an endpoint that reports a different chain later is wrong. */
export interface ChainChoice {
  /** Records the chain id reported by an endpoint; `undefined` if it reported none in a whole round. */
  heard(endpoint: string, chainId: string | undefined): void;
  /** `undefined` until the choice can be made. */
  chosen(): string | undefined;
  /** Chain id that the endpoint reported last. */
  toldBy(endpoint: string): string | undefined;
}

/**
 * Chooses the configured chain id. Without one, uses the first chain id reported by the operator's own endpoints, in
 * configuration order. If none of them reports one, uses the chain id of the majority; ties go to the endpoint listed
 * first. Chooses nothing before all deciding endpoints were queried.
 */
export const createChainChoice = (
  endpoints: readonly Pick<Endpoint, 'name' | 'role'>[],
  configured: string | undefined,
): ChainChoice => {
  const asked = new Set<string>();
  const told = new Map<string, string>();
  let chosen = configured;

  const choose = (): string | undefined => {
    for (const { name } of endpoints.filter(({ role }) => role === 'own')) {
      if (told.has(name)) return told.get(name);
      if (!asked.has(name)) return undefined;
    }
    return endpoints.every(({ name }) => asked.has(name)) ? mostTold() : undefined;
  };
  const mostTold = (): string | undefined => {
    const ids = endpoints.flatMap(({ name }) => told.get(name) ?? []);
    const votes = (id: string): number => ids.filter((one) => one === id).length;
    return ids.toSorted((a, b) => votes(b) - votes(a))[0];
  };

  return {
    heard(endpoint, chainId) {
      asked.add(endpoint);
      if (chainId !== undefined) told.set(endpoint, chainId);
      chosen ??= choose();
    },
    chosen: () => chosen,
    toldBy: (endpoint) => told.get(endpoint),
  };
};

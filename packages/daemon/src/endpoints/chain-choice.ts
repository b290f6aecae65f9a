import type { Endpoint } from './endpoint.js';

/** Which chain is believed in. Chosen once; an endpoint that serves another one later is wrong, not the choice. */
export interface ChainChoice {
  /** Takes the chain id that an endpoint told, `undefined` when it told none in a whole round. */
  heard(endpoint: string, chainId: string | undefined): void;
  /** `undefined` until it can be told. */
  chosen(): string | undefined;
  /** What the endpoint told last. */
  toldBy(endpoint: string): string | undefined;
}

/**
 * The configured chain id. Without one that of the first of the operator's own endpoints that tells one; where none of
 * them does, the one that most endpoints tell, of equal numbers the one listed first. Nothing is chosen before those that
 * have a say were asked.
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

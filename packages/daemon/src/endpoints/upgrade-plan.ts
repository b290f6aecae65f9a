import { currentPlan } from '@hubwatch/types/gen/methods/stack/upgrade/v1beta1/query';
import { type Endpoint, type QueryTransport, queryTransports } from './endpoint.js';

/** An upgrade planned by the chain. */
export interface UpgradePlan {
  readonly name: string;
  readonly height: bigint;
}

/** The planned upgrade as reported by an endpoint over the first transport that responds; `undefined` if none does. */
export const planOf = async (
  endpoint: Endpoint,
  signal: AbortSignal,
  ways: readonly QueryTransport[] = queryTransports.filter((one) => endpoint.has[one]),
): Promise<UpgradePlan | 'none' | undefined> => {
  for (const way of ways) {
    try {
      const { plan } = (await endpoint.query(way, currentPlan, {}, { signal })).message;
      return plan === undefined ? 'none' : { name: plan.name, height: plan.height };
    } catch (error) {
      // The next transport may respond; if none does, the plan is unknown.
      if (signal.aborted) throw error;
    }
  }
  return undefined;
};

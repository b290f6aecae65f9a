import { currentPlan } from '@hubwatch/types/gen/methods/stack/upgrade/v1beta1/query';
import { type Endpoint, type QueryTransport, queryTransports } from './endpoint.js';

/** An upgrade as the chain has planned it. */
export interface UpgradePlan {
  readonly name: string;
  readonly height: bigint;
}

/** What an endpoint says of the planned upgrade, over the first way that answers; `undefined` when none does. */
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
      // The next way may answer; without any the plan is not known.
      if (signal.aborted) throw error;
    }
  }
  return undefined;
};

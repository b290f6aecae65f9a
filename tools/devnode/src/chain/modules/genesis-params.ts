import { bech32Prefix, params as authParams } from '@hubwatch/types/gen/methods/stack/auth/v1beta1/query';
import { params as bankParams } from '@hubwatch/types/gen/methods/stack/bank/v1beta1/query';
import { params as distributionParams } from '@hubwatch/types/gen/methods/stack/distribution/v1beta1/query';
import { params as mintParams } from '@hubwatch/types/gen/methods/stack/mint/v1beta1/query';
import { params as slashingParams } from '@hubwatch/types/gen/methods/stack/slashing/v1beta1/query';
import { params as stakingParams } from '@hubwatch/types/gen/methods/stack/staking/v1beta1/query';
import { currentPlan } from '@hubwatch/types/gen/methods/stack/upgrade/v1beta1/query';
import { fromJson } from '@hubwatch/types/runtime/json';
import type { Availability, Method } from '@hubwatch/types/runtime/method';
import { accountPrefix } from '../address.js';
import { on, type QueryHandler } from '../query-handler.js';

/** Serves parameters of a framework module from the genesis: no block in a recording changes them. */
function fromGenesis<O, A extends Availability>(method: Method<object, O, A>, module: string): QueryHandler {
  return on(method, (_request, { view }) => {
    const { params } = view.genesis.appState[module] as { params: unknown };
    return fromJson(method.response, { params });
  });
}

export const genesisParamHandlers: readonly QueryHandler[] = [
  fromGenesis(authParams, 'auth'),
  fromGenesis(bankParams, 'bank'),
  fromGenesis(distributionParams, 'distribution'),
  fromGenesis(mintParams, 'mint'),
  fromGenesis(slashingParams, 'slashing'),
  fromGenesis(stakingParams, 'staking'),
  on(bech32Prefix, () => ({ bech32Prefix: accountPrefix })),
  // Recorded streams end before any plan is due, and recorded states contain no plans. A plan exists only if a test sets one.
  on(currentPlan, (_request, { view }) => {
    const { upgrade } = view.bounds;
    if (upgrade === undefined) return { plan: undefined };
    const { name, height } = upgrade;
    return { plan: { name, time: undefined, height: BigInt(height), info: '', upgradedClientState: undefined } };
  }),
];

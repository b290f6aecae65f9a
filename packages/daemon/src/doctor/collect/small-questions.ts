import { queryDeposits } from '@hubwatch/types/gen/methods/hub/deposit/v1/query-service';
import { queryParams as leaseParams } from '@hubwatch/types/gen/methods/hub/lease/v1/query-service';
import { queryParams as nodeParams } from '@hubwatch/types/gen/methods/hub/node/v3/query-service';
import { queryParams as oracleParams } from '@hubwatch/types/gen/methods/hub/oracle/v1/query-service';
import { queryPlans } from '@hubwatch/types/gen/methods/hub/plan/v3/query-service';
import { queryProviders } from '@hubwatch/types/gen/methods/hub/provider/v2/query-service';
import { queryParams as providerParams } from '@hubwatch/types/gen/methods/hub/provider/v3/query-service';
import { queryParams as sessionParams } from '@hubwatch/types/gen/methods/hub/session/v3/query-service';
import { queryParams as subscriptionParams } from '@hubwatch/types/gen/methods/hub/subscription/v3/query-service';
import { queryParams as swapParams } from '@hubwatch/types/gen/methods/hub/swap/v1/query-service';
import type { AnyMethod } from '@hubwatch/types/runtime/method';

export interface SmallQuestion {
  readonly method: AnyMethod;
  readonly request: object;
}

const one = { pagination: { key: new Uint8Array(), offset: 0n, limit: 1n, countTotal: false, reverse: false } };

/** One query with a small response for each service of the hub. */
export const smallQuestions: readonly SmallQuestion[] = [
  { method: nodeParams, request: {} },
  { method: leaseParams, request: {} },
  { method: sessionParams, request: {} },
  { method: subscriptionParams, request: {} },
  { method: oracleParams, request: {} },
  { method: swapParams, request: {} },
  { method: providerParams, request: {} },
  { method: queryProviders, request: one },
  { method: queryPlans, request: one },
  { method: queryDeposits, request: one },
];

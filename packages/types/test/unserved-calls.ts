import type { AnyMethod, RequestOf, TransportKind } from '@hubwatch/types';
import { queryNodes } from '@hubwatch/types/gen/methods/hub/node/v3/query-service';
import { queryPlans } from '@hubwatch/types/gen/methods/hub/plan/v3/query-service';
import { queryParams as providerParams } from '@hubwatch/types/gen/methods/hub/provider/v2/query-service';
import { queryParams as providerParamsV3 } from '@hubwatch/types/gen/methods/hub/provider/v3/query-service';
import { queryPayouts } from '@hubwatch/types/gen/methods/hub/subscription/v2/query-service';

/** Checked by `tsc -b`, never run: valid calls must compile, and calls with `@ts-expect-error` must not. */
declare function call<M extends AnyMethod, K extends TransportKind>(kind: K, method: M, request: RequestOf<M, K>): void;

/** Contains all members, so that a call can only fail to compile because of its availability. */
const page = { key: new Uint8Array(), offset: 0n, limit: 10n, countTotal: false, reverse: false };

export function served(): void {
  call('grpc', queryNodes, { status: 1, pagination: page });
  call('rest', queryNodes, { status: 1, pagination: page });
  call('abci', queryNodes, { status: 1, pagination: page });
  call('grpc', queryPlans, { status: 1, pagination: page });
  call('abci', queryPlans, { status: 1, pagination: page });
  call('grpc', providerParamsV3, {});
}

export function unserved(): void {
  // @ts-expect-error hub.provider.v2 QueryParams is not implemented
  call('grpc', providerParams, {});
  // @ts-expect-error neither over REST
  call('rest', providerParams, {});
  // @ts-expect-error nor through abci_query
  call('abci', providerParams, {});
  // @ts-expect-error hub.plan.v3 has no REST route
  call('rest', queryPlans, { status: 1, pagination: page });
  // @ts-expect-error hub.provider.v3 has no REST route
  call('rest', providerParamsV3, {});
  // @ts-expect-error payouts moved into the lease
  call('grpc', queryPayouts, { pagination: page });
}

export function wrongRequests(): void {
  // @ts-expect-error a request has no such member
  call('grpc', queryNodes, { status: 1, pagination: page, offset: 3n });
  // @ts-expect-error 64-bit numbers are bigint
  call('grpc', queryNodes, { status: 1, pagination: { ...page, limit: 10 } });
}

// Short lists that complete the set of lists swept by the daemon.
import { publicNaming } from '@hubwatch/client';
import { queryDeposits } from '@hubwatch/types/gen/methods/hub/deposit/v1/query-service';
import { queryPlans } from '@hubwatch/types/gen/methods/hub/plan/v3/query-service';
import { queryProviders } from '@hubwatch/types/gen/methods/hub/provider/v2/query-service';
import { querySubscriptions } from '@hubwatch/types/gen/methods/hub/subscription/v3/query-service';
import { querySwaps } from '@hubwatch/types/gen/methods/hub/swap/v1/query-service';
import { decodeBinary, encodeBinary } from '@hubwatch/types/runtime/binary';
import type { AnyMethod, List } from '@hubwatch/types/runtime/method';
import type { ServedList } from './large-lists.js';
import { committedAmount, depositAccounts, sessionDeposits } from './world.js';

const statuses = Array.from({ length: 100 }, (_, no) => ({ status: no % 4 === 0 ? 3 : 1 }));

export const smallLists = (): readonly ServedList[] => [
  listOf(querySubscriptions, statuses),
  listOf(queryPlans, statuses),
  listOf(queryProviders, statuses),
  listOf(
    querySwaps,
    statuses.map(() => ({ receiver: 'sent1' })),
  ),
  listOf(queryDeposits, deposits()),
];

/** The deposits of all accounts: exactly the amounts for sessions and leases. */
function deposits(): readonly object[] {
  const total = sessionDeposits() + committedAmount();
  const share = total / BigInt(depositAccounts);
  return Array.from({ length: depositAccounts }, (_, no) => {
    const amount = no === 0 ? total - share * BigInt(depositAccounts - 1) : share;
    return { address: `sent1${no}`, coins: [{ denom: 'udvpn', amount: String(amount) }] };
  });
}

function listOf(method: AnyMethod & List, records: readonly object[]): ServedList {
  const { items } = method.list;
  // A record with every member, of which only some are read.
  const [key, ...more] = [0x0a, 0x00];
  const blank = (decodeBinary(method.response, Uint8Array.of(key, ...more)) as Record<string, readonly object[]>)[
    items
  ]?.[0];
  return {
    method,
    page(from, limit) {
      const next = from + limit < records.length ? Buffer.from(String(from + limit)) : new Uint8Array(0);
      const page = {
        [items]: records.slice(from, from + limit).map((record) => ({ ...blank, ...record })),
        pagination: { nextKey: next, total: 0n },
      };
      return Buffer.from(encodeBinary(method.response, page, publicNaming));
    },
  };
}

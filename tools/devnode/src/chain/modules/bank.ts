import type { Coin } from '@hubwatch/types/gen/forms/stack/base/v1beta1/coin';
import { allBalances, balance, spendableBalances } from '@hubwatch/types/gen/methods/stack/bank/v1beta1/query';
import { accountPrefix } from '../address.js';
import { decodeBech32, encodeBech32 } from '../bech32.js';
import { entriesOf, paginate } from '../paging.js';
import { QueryError } from '../query-error.js';
import { on, type QueryContext, type QueryHandler } from '../query-handler.js';

const bondDenom = 'udvpn';
const denomPattern = /^[a-zA-Z][a-zA-Z0-9/:._-]{2,127}$/;

/** Reads the account of a bank request. The bank module has its own error texts for malformed addresses. */
function account(input: string): string {
  const refuse = (why: string): QueryError => new QueryError(3, `invalid address: ${why}`);
  if (input.trim() === '') throw refuse('empty address string is not allowed');
  if (input.length < 8) throw refuse(`decoding bech32 failed: invalid bech32 string length ${input.length}`);
  const prefix = input.toLowerCase().slice(0, input.lastIndexOf('1'));
  const bytes = decodeBech32(input, prefix);
  if (bytes === undefined) throw refuse('decoding bech32 failed: invalid checksum');
  if (prefix !== accountPrefix) throw refuse(`invalid Bech32 prefix; expected ${accountPrefix}, got ${prefix}`);
  if (bytes.length === 0) throw refuse('addresses cannot be empty: unknown address');
  return encodeBech32(accountPrefix, bytes);
}

function coinsOf({ state }: QueryContext, address: string): Coin[] {
  const own = state.balances[address];
  const coins = Object.entries(state.balances_other[address] ?? {}).map(([denom, amount]) => ({ denom, amount }));
  if (own !== undefined && own !== '0') coins.push({ denom: bondDenom, amount: own });
  return coins;
}

function page(
  context: QueryContext,
  address: string,
  request: Parameters<typeof paginate>[1],
): ReturnType<typeof paginate<Coin>> {
  const entries = entriesOf(
    coinsOf(context, address),
    ({ denom }) => Buffer.from(denom),
    (coin) => coin,
  );
  return paginate(entries, request, { code: 3, prefix: 'paginate: ' });
}

/** Balances from the recorded states. Spendable equals total: the states contain no vesting. */
export const bankHandlers: readonly QueryHandler[] = [
  on(allBalances, (request, context) => {
    const { items, pagination } = page(context, account(request.address), request.pagination);
    return { balances: items, pagination };
  }),
  on(spendableBalances, (request, context) => {
    const { items, pagination } = page(context, account(request.address), request.pagination);
    return { balances: items, pagination };
  }),
  on(balance, (request, context) => {
    if (!denomPattern.test(request.denom)) throw new QueryError(3, `invalid denom: ${request.denom}`);
    const coin = coinsOf(context, account(request.address)).find(({ denom }) => denom === request.denom);
    return { balance: coin ?? { denom: request.denom, amount: '0' } };
  }),
];

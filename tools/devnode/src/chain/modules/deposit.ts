import { Deposit } from '@hubwatch/types/gen/forms/hub/deposit/v1/deposit';
import { queryDeposit, queryDeposits } from '@hubwatch/types/gen/methods/hub/deposit/v1/query-service';
import { accountPrefix, addressBytes, readAddress } from '../address.js';
import { entriesOf, lengthKey, paginate } from '../paging.js';
import { notFound } from '../query-error.js';
import { on, type QueryContext, type QueryHandler } from '../query-handler.js';

function depositsOf({ state, forms }: QueryContext): Deposit[] {
  return state.deposits.map((record) => forms.of(Deposit, record));
}

export const depositHandlers: readonly QueryHandler[] = [
  on(queryDeposits, (request, context) => {
    const entries = entriesOf(
      depositsOf(context),
      ({ address }) => lengthKey(addressBytes(address)),
      (deposit) => deposit,
    );
    const { items, pagination } = paginate(entries, request.pagination);
    return { deposits: items, pagination };
  }),
  on(queryDeposit, (request, context) => {
    const { text } = readAddress(request.address, accountPrefix);
    const deposit = depositsOf(context).find(({ address }) => address === text);
    if (deposit === undefined) throw notFound(`deposit does not exist for address ${request.address}`);
    return { deposit };
  }),
];

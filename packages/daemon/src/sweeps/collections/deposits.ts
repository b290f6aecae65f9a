import { Deposit } from '@hubwatch/types/gen/forms/hub/deposit/v1/deposit';
import { queryDeposits } from '@hubwatch/types/gen/methods/hub/deposit/v1/query-service';
import { narrow, only } from '@hubwatch/types/runtime/narrow';
import { gauge } from '../../checks/family.js';
import { amountSamples } from '../counted-samples.js';
import type { ListSweep } from '../sweep.js';

const list = narrow(queryDeposits, only(Deposit, 'coins'));

const amount = gauge(
  'hub_deposit_amount',
  ['denom'],
  'Deposits of all accounts, in the base unit of the denomination',
  'sweep',
);

/** Deposits of all accounts by denomination. */
export const deposits: ListSweep<typeof list> = {
  collection: 'deposits',
  method: list,
  families: [amount],
  add({ coins }, sums) {
    for (const coin of coins) sums.add('deposits', coin.denom, BigInt(coin.amount));
  },
  samples: (sums, { sweeps }) => amountSamples(amount, sums, 'deposits', sweeps.denoms),
};

import type { Coin } from '@hubwatch/types/gen/forms/stack/base/v1beta1/coin';
import { queryDeposit } from '@hubwatch/types/gen/methods/hub/deposit/v1/query-service';
import { balance as queryBalance } from '@hubwatch/types/gen/methods/stack/bank/v1beta1/query';
import { amountText } from '../../words.js';
import type { Check, CheckRule } from '../check.js';
import { gauge, info, sample } from '../family.js';
import { unlessAbsent } from '../unless-absent.js';
import { type AccountTarget, accountTargets } from './account-targets.js';

export interface AccountReading {
  /** Spendable balances of the denominations that are read. */
  readonly balances: ReadonlyMap<string, bigint>;
  /** Amount in the deposit module: for node sessions of the account and for leases of the provider with the same key. */
  readonly deposit: readonly Coin[];
  readonly height: bigint | undefined;
}

export const balanceKind = 'balance';
const unit = 'in the base unit of the denomination';
const configInfo = info(
  'hub_account_config_info',
  ['account', 'alias'],
  'Watched accounts; the value is always 1',
  'config',
);
const balances = gauge('hub_account_balance', ['account', 'denom'], `Free balance, ${unit}`);
const deposits = gauge('hub_account_deposit', ['account', 'denom'], `Deposit in the deposit module, ${unit}`);
const minimum = gauge(
  'hub_account_balance_minimum',
  ['account', 'denom'],
  `Configured minimum balance, ${unit}`,
  'config',
);

/** A balance is below its configured minimum. */
const balanceLow: CheckRule<AccountTarget, AccountReading> = {
  name: 'HubBalanceLow',
  severity: 'warning',
  forMs: 600_000,
  time: 'clock',
  prometheus: {
    expr: 'hub_account_balance < hub_account_balance_minimum',
    labels: ['account', 'denom'],
    summary: '{{ $labels.account }}: the balance is only {{ $value | printf "%.0f" }} {{ $labels.denom }}',
    description:
      'It is below the configured minimum (`hub_account_balance_minimum`). Without funds its transactions fail. Top up the account.',
  },
  judge({ key, title, minimum: least }, reading) {
    const base = { subject: key, term: '' };
    const short = [...least].flatMap(([denom, needed]) => {
      const has = reading.balances.get(denom) ?? 0n;
      return has < needed ? [{ denom, has, needed }] : [];
    });
    if (short.length === 0) return { ...base, state: 'ok', title: `${title}: holds what it should`, text: '' };
    return {
      ...base,
      state: 'firing',
      title: `${title}: balance is low: ${short.map(({ denom, has }) => amountText(has, denom)).join(', ')}`,
      text: [
        ...short.map(
          ({ denom, has, needed }) =>
            `- ${amountText(has, denom)} of at least ${amountText(needed, denom)}: ${amountText(needed - has, denom)} are missing`,
        ),
        `Account: ${key}`,
      ].join('\n'),
    };
  },
};

/** Balances and deposits of watched accounts, including those of watched nodes. Each account is read at one height. */
export const watchedAccounts: Check<AccountTarget, AccountReading> = {
  name: 'accounts',
  families: [configInfo, balances, deposits, minimum],
  everyMs: (config) => config.poll.accounts,
  targets: accountTargets,
  async collect({ key: address, denoms }, { pool, changes, clock, signal }) {
    const reading = await pool.read(`account ${address}`, signal, async (source): Promise<AccountReading> => {
      const found = new Map<string, bigint>();
      let at: bigint | undefined;
      for (const denom of denoms) {
        const { message, height } = await source.call(queryBalance, { address, denom }, at);
        found.set(denom, BigInt(message.balance?.amount ?? '0'));
        at ??= height;
      }
      const held = await unlessAbsent(source.call(queryDeposit, { address }, at));
      return { balances: found, deposit: held?.message.deposit.coins ?? [], height: at };
    });
    // The balance decreases are used to estimate fees if no block is available.
    const fields = Object.fromEntries([...reading.balances].map(([denom, amount]) => [denom, String(amount)]));
    changes.note({ kind: balanceKind, subject: address, fields, height: reading.height, atMs: clock.nowMs() });
    return reading;
  },
  metrics: ({ key }, reading) => [
    ...[...reading.balances].map(([denom, amount]) => sample(balances, [key, denom], Number(amount))),
    ...reading.deposit.map(({ denom, amount }) => sample(deposits, [key, denom], Number(amount))),
  ],
  constants: ({ key, alias, minimum: least }) => [
    sample(configInfo, [key, alias], 1),
    ...[...least].map(([denom, amount]) => sample(minimum, [key, denom], Number(amount))),
  ],
  rules: [balanceLow],
};

import { accountOf, BlockStream, type HubState, type RecordedEvent } from '@hubwatch/devnode/chain';
import { Lease } from '@hubwatch/types/gen/forms/hub/lease/v1/lease';
import { Plan } from '@hubwatch/types/gen/forms/hub/plan/v3/plan';
import { Subscription } from '@hubwatch/types/gen/forms/hub/subscription/v3/subscription';
import { formsOf } from './recorded-chain.js';

/** Changes made by users through transactions, as opposed to automatic changes by the chain. */
export interface Disturbances {
  /**
   * Whether transactions may have changed leases, plans, subscriptions or nodes that determine a provider's renewals.
   *
   * @param from height of the observed state
   * @param to height of the block that decided
   */
  touch(provider: string, state: HubState, from: number, to: number): boolean;
  /** Net amount that transactions moved to or from an account in between: fees, payments, deposits. */
  moved(address: string, denom: string, from: number, to: number): bigint;
}

export function disturbancesOf(folder: string): Disturbances {
  const blocks = new BlockStream(folder);
  /** In ascending order. */
  const heights = new Map<string, number[]>();
  const coins: {
    readonly height: number;
    readonly account: string;
    readonly denom: string;
    readonly amount: bigint;
  }[] = [];
  for (let height = blocks.first; height <= blocks.last; height++) {
    const { begin_block: begin, txs } = blocks.block(height);
    const events = txs.flatMap((tx) => tx.events);
    const accounts = events.flatMap(concernedIn).map(accountOf);
    const nodes = [...begin, ...events].flatMap(changedNode);
    for (const one of new Set([...accounts, ...nodes])) heights.set(one, [...(heights.get(one) ?? []), height]);
    for (const coin of events.flatMap(coinsIn)) coins.push({ height, ...coin });
  }
  return {
    touch: (provider, state, from, to) =>
      [...concernedBy(provider, state)].some((one) => heights.get(one)?.some((height) => from < height && height < to)),
    moved: (address, denom, from, to) =>
      coins
        .filter((coin) => from < coin.height && coin.height < to)
        .filter((coin) => coin.denom === denom && coin.account === accountOf(address))
        .reduce((sum, { amount }) => sum + amount, 0n),
  };
}

/** The provider, its subscribers, and the nodes of its leases. */
function concernedBy(provider: string, state: HubState): ReadonlySet<string> {
  const plans = new Set(
    formsOf(Plan, state.plans)
      .filter(({ provAddress }) => provAddress === provider)
      .map(({ id }) => id),
  );
  return new Set([
    accountOf(provider),
    ...formsOf(Subscription, state.subscriptions)
      .filter(({ planId }) => plans.has(planId))
      .map(({ accAddress }) => accAddress),
    ...formsOf(Lease, state.leases)
      .filter(({ provAddress }) => provAddress === provider)
      .map(({ nodeAddress }) => nodeAddress),
  ]);
}

/** Types of events that change leases, plans or subscriptions. */
const changing = /^hub\.(?:lease|plan|provider)\.|^hub\.subscription\.v3\.Event(?:Create|Renew|Update\w+)$/;

function concernedIn({ type, attributes }: RecordedEvent): readonly string[] {
  if (!changing.test(type)) return [];
  return attributes.flatMap(([, value]) => value.match(/\bsent(?:prov)?1[a-z0-9]{38}\b/g) ?? []);
}

function coinsIn({ type, attributes }: RecordedEvent) {
  const text = (key: string): string => attributes.find(([name]) => name === key)?.[1] ?? '';
  const account = type === 'coin_received' ? text('receiver') : type === 'coin_spent' ? text('spender') : '';
  if (account === '') return [];
  return text('amount')
    .split(',')
    .flatMap((coin) => {
      const [, digits, denom] = /^(\d+)(.+)$/.exec(coin) ?? [];
      if (digits === undefined || denom === undefined) return [];
      const amount = BigInt(digits);
      return [{ account, denom, amount: type === 'coin_spent' ? -amount : amount }];
    });
}

function changedNode({ type, attributes }: RecordedEvent): readonly string[] {
  const text = (key: string): string => (attributes.find(([name]) => name === key)?.[1] ?? '').replaceAll('"', '');
  const isLapse = type === 'hub.node.v3.EventUpdateStatus' && text('status') !== 'active';
  return isLapse || type === 'hub.node.v3.EventUpdateDetails' ? [text('node_address')] : [];
}

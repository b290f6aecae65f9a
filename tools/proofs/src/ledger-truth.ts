import { accountOf, BlockStream, type RecordedEvent } from '@hubwatch/devnode/chain';

/** A payment or refund of a recorded chain, derived without any code of the ledger. */
export interface Movement {
  readonly height: number;
  readonly what: string;
  readonly record: string;
  readonly amount: string;
  readonly denom: string;
  readonly stakers: string;
}

/** Types of events that move money: the ledger's term for them, and the attributes with id and coin. */
const types: Readonly<Record<string, readonly [what: string, id: string, coin: string]>> = {
  'hub.lease.v1.EventPay': ['lease_paid', 'lease_id', 'payment'],
  'hub.lease.v1.EventRefund': ['lease_refunded', 'lease_id', 'value'],
  'hub.node.v3.EventPay': ['session_paid', 'session_id', 'payment'],
  'hub.node.v3.EventRefund': ['session_refunded', 'session_id', 'value'],
  'hub.subscription.v3.EventPay': ['subscription_paid', 'subscription_id', 'payment'],
  'hub.deposit.v2.EventAdd': ['deposit_added', '', 'value'],
  'hub.deposit.v2.EventSubtract': ['deposit_subtracted', '', 'value'],
};

/** All movements after the first block, in chain order. */
export function movements(folder: string): readonly Movement[] {
  const blocks = new BlockStream(folder);
  const { nodes, providers, accounts } = subjects(folder);
  const payers = new Set([...nodes, ...providers, ...accounts].map(accountOf));
  const found: Movement[] = [];
  for (let height = blocks.first + 1; height <= blocks.last; height++) {
    const { begin_block: begin, txs, end_block: end } = blocks.block(height);
    const done = txs.filter((tx) => tx.code === 0).map((tx) => tx.events);
    found.push(...[...begin, ...done.flat(), ...end].flatMap((event) => movementOf(event, height)));
    found.push(...done.flatMap((events) => swapOf(events, height)));
    found.push(...txs.flatMap(({ events }) => feeOf(events, height, payers)));
  }
  return found;
}

/** A swap mints its amount, and a transaction of the recorded chains contains at most one swap. */
function swapOf(events: readonly RecordedEvent[], height: number): Movement[] {
  const value = (type: string, key: string): string =>
    (events.find((event) => event.type === type)?.attributes.find(([name]) => name === key)?.[1] ?? '').replaceAll(
      '"',
      '',
    );
  const hash = value('hub.swap.v1.EventSwap', 'tx_hash');
  if (hash === '') return [];
  const record = Buffer.from(hash, 'base64').toString('hex').toUpperCase();
  return [{ height, what: 'swapped', record, ...coinOf(value('coinbase', 'amount')), stakers: '' }];
}

/** The sender of a transaction pays a fee regardless of its outcome; the recorded fees are of one coin. */
function feeOf(events: readonly RecordedEvent[], height: number, payers: ReadonlySet<string>): Movement[] {
  const { attributes = [] } = events.find(({ type }) => type === 'tx') ?? {};
  const [fee = '', payer = ''] = ['fee', 'fee_payer'].map((name) => attributes.find(([key]) => key === name)?.[1]);
  return fee === '' || !payers.has(accountOf(payer))
    ? []
    : [{ height, what: 'fee_paid', record: '', ...coinOf(fee), stakers: '' }];
}

function coinOf(text: string): { readonly amount: string; readonly denom: string } {
  const amount = /^\d*/.exec(text)?.[0] ?? '';
  return { amount, denom: text.slice(amount.length) };
}

function movementOf({ type, attributes }: RecordedEvent, height: number): Movement[] {
  const [what, id, coin] = Object.hasOwn(types, type) ? (types[type] ?? []) : [];
  if (what === undefined) return [];
  const value = (key: string | undefined): string =>
    (attributes.find(([name]) => name === key)?.[1] ?? '').replaceAll('"', '');
  return [
    {
      height,
      what,
      record: value(id),
      ...coinOf(value(coin)),
      stakers: /^\d*/.exec(value('staking_reward'))?.[0] ?? '',
    },
  ];
}

/** Addresses of every node and provider in a recorded chain, and of every account that paid or was paid. */
export function subjects(folder: string): {
  readonly nodes: readonly string[];
  readonly providers: readonly string[];
  readonly accounts: readonly string[];
} {
  const blocks = new BlockStream(folder);
  const found = new Set<string>();
  for (let height = blocks.first; height <= blocks.last; height++) {
    const { begin_block: begin, txs } = blocks.block(height);
    for (const { type, attributes } of [...begin, ...txs.flatMap((tx) => (tx.code === 0 ? tx.events : []))]) {
      if (!type.startsWith('hub.')) continue;
      for (const [key, value] of attributes)
        if (/^(?:node_address|prov_address|acc_address|receiver)$/.test(key)) found.add(value.replaceAll('"', ''));
    }
  }
  const all = [...found];
  const of = (prefix: string): readonly string[] => all.filter((address) => address.startsWith(prefix));
  return { nodes: of('sentnode1'), providers: of('sentprov1'), accounts: of('sent1') };
}

import { BlockStream, type RecordedEvent } from '@hubwatch/devnode/chain';

/** A payment or refund of a recorded chain, written down without any code of the ledger. */
export interface Movement {
  readonly height: number;
  readonly what: string;
  readonly record: string;
  readonly amount: string;
  readonly denom: string;
  readonly stakers: string;
}

/** Types of events that move money: what the ledger calls them, and the attributes of id and coin. */
const types: Readonly<Record<string, readonly [what: string, id: string, coin: string]>> = {
  'hub.lease.v1.EventPay': ['lease_paid', 'lease_id', 'payment'],
  'hub.lease.v1.EventRefund': ['lease_refunded', 'lease_id', 'value'],
  'hub.node.v3.EventPay': ['session_paid', 'session_id', 'payment'],
  'hub.node.v3.EventRefund': ['session_refunded', 'session_id', 'value'],
  'hub.subscription.v3.EventPay': ['subscription_paid', 'subscription_id', 'payment'],
};

/** Everything that moved after the first block, in the order of the chain. */
export function movements(folder: string): readonly Movement[] {
  const blocks = new BlockStream(folder);
  const found: Movement[] = [];
  for (let height = blocks.first + 1; height <= blocks.last; height++) {
    const { begin_block: begin, txs, end_block: end } = blocks.block(height);
    const events = [...begin, ...txs.flatMap((tx) => (tx.code === 0 ? tx.events : [])), ...end];
    found.push(...events.flatMap((event) => movementOf(event, height)));
  }
  return found;
}

function movementOf({ type, attributes }: RecordedEvent, height: number): Movement[] {
  const [what, id, coin] = Object.hasOwn(types, type) ? (types[type] ?? []) : [];
  if (what === undefined) return [];
  const value = (key: string | undefined): string =>
    (attributes.find(([name]) => name === key)?.[1] ?? '').replaceAll('"', '');
  const digits = /^\d*/.exec(value(coin))?.[0] ?? '';
  return [
    {
      height,
      what,
      record: value(id),
      amount: digits,
      denom: value(coin).slice(digits.length),
      stakers: /^\d*/.exec(value('staking_reward'))?.[0] ?? '',
    },
  ];
}

/** Addresses of every node and provider that a recorded chain tells of. */
export function subjects(folder: string): { readonly nodes: readonly string[]; readonly providers: readonly string[] } {
  const blocks = new BlockStream(folder);
  const found = new Set<string>();
  for (let height = blocks.first; height <= blocks.last; height++) {
    for (const tx of blocks.block(height).txs) {
      for (const { type, attributes } of tx.code === 0 ? tx.events : []) {
        if (type !== 'hub.node.v3.EventCreate' && type !== 'hub.provider.v3.EventCreate') continue;
        for (const [key, value] of attributes)
          if (/^(?:node|prov)_address$/.test(key)) found.add(value.replaceAll('"', ''));
      }
    }
  }
  const all = [...found];
  return {
    nodes: all.filter((address) => address.startsWith('sentnode')),
    providers: all.filter((address) => address.startsWith('sentprov')),
  };
}

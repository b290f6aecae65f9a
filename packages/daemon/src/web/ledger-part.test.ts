import { expect, test } from 'vitest';
import { accountAddress, nodeAddress, providerAddress } from '../../test/parts.js';
import type { Config } from '../config/schema.js';
import { createLedgerTotals, type KindTotal } from '../ledger/totals.js';
import { ledgerPart } from './ledger-part.js';
import { ledgerView } from './ledger-view.js';
import type { StatusView } from './status-view.js';

const total = (facts: Partial<KindTotal>): KindTotal => ({
  kind: 'lease_paid',
  node: nodeAddress,
  provider: providerAddress,
  account: '',
  denom: 'udvpn',
  detail: undefined,
  entries: 1n,
  amount: 8_000n,
  stakers: 2_000n,
  ...facts,
});

const watch = {
  nodes: [{ address: nodeAddress, alias: 'five' }],
  providers: [{ address: providerAddress, alias: undefined }],
  accounts: [{ address: accountAddress, alias: 'me' }],
} as unknown as Config['watch'];

const viewOf = (kept: readonly KindTotal[], facts: object = {}) =>
  ledgerView(
    {
      isKept: true,
      isCurrent: () => true,
      position: () => 500n,
      totals: createLedgerTotals(undefined, kept),
      ...facts,
    },
    { watch },
  );

const pageOf = (ledger: ReturnType<typeof viewOf>): string => ledgerPart({ ledger } as StatusView)?.html ?? '';

test("ledger card: node income by source, provider payments with the stakers' share, and account payments", () => {
  const view = viewOf([
    total({}),
    total({ kind: 'session_paid', account: accountAddress, provider: '', amount: 80n, stakers: 20n }),
    total({ kind: 'lease_refunded', amount: 7n, stakers: 0n }),
    total({ kind: 'session_refunded', account: accountAddress, amount: 0n, stakers: 0n }),
  ]);
  expect(view?.subjects).toEqual([
    {
      kind: 'node',
      address: nodeAddress,
      alias: 'five',
      sums: [
        { what: 'got', amount: '8000', denom: 'udvpn', source: 'lease' },
        { what: 'got', amount: '80', denom: 'udvpn', source: 'session' },
        { what: 'refunded', amount: '7', denom: 'udvpn', source: 'lease' },
        { what: 'refunded', amount: '0', denom: 'udvpn', source: 'session' },
      ],
    },
    {
      kind: 'provider',
      address: providerAddress,
      alias: undefined,
      sums: [
        { what: 'paid', amount: '10000', denom: 'udvpn', source: undefined },
        { what: 'got back', amount: '7', denom: 'udvpn', source: undefined },
      ],
    },
    {
      kind: 'account',
      address: accountAddress,
      alias: 'me',
      sums: [
        { what: 'paid', amount: '100', denom: 'udvpn', source: 'session' },
        { what: 'got back', amount: '0', denom: 'udvpn', source: undefined },
      ],
    },
  ]);
  expect(pageOf(view)).toContain(
    '<strong>five</strong></td><td class="wide">got 8\u202f000 udvpn <span class="soft">of leases</span>, got 80 udvpn <span class="soft">of sessions</span>, refunded 7 udvpn <span class="soft">of leases</span></td>',
  );
});

test('ledger card: reports lag behind the chain, and is absent while nothing is stored', () => {
  expect(pageOf(viewOf([total({})], { isCurrent: () => false }))).toContain('behind the chain');
  expect(pageOf(viewOf([total({})]))).not.toContain('behind the chain');
  expect(viewOf([total({})], { isKept: false })).toBeUndefined();
  expect(viewOf([], { position: () => undefined })).toBeUndefined();
  expect(pageOf(viewOf([]))).toBe('');
});

test('ledger card: many addresses and denominations chosen by third parties stay small', () => {
  const kept = Array.from({ length: 500 }, (_, index) => total({ denom: `x${index}${'y'.repeat(500)}` }));
  expect(pageOf(viewOf(kept)).length).toBeLessThan(6_000);
});

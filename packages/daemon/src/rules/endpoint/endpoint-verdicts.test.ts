import { expect, test } from 'vitest';
import { testConfig } from '../../../test/parts.js';
import { type AgreementReading, agreement, networkTarget } from '../../checks/endpoint/agreement.js';
import type { Check, Outcome, Target } from '../../checks/check.js';
import { type EndpointFacts, type EndpointVerdict, endpointVerdicts } from '../../endpoints/judgement.js';
import { emptyLedger, verdictsOf } from '../../../test/rule-view.js';
import { chainHalted } from '../chain/chain-halted.js';
import { consensusMismatch } from './consensus-mismatch.js';
import { endpointStalled } from './endpoint-stalled.js';
import { verdictText } from './endpoint-verdicts.js';
import type { RuleView } from '../rule.js';
import { stateBehind } from './state-behind.js';
import { wrongChain } from './wrong-chain.js';

const nowMs = 1_800_000_000_000;

const viewOf = (
  verdicts: Readonly<Record<string, EndpointVerdict>> | undefined,
  more: Partial<AgreementReading> = {},
): RuleView => {
  const config = testConfig(['own', 'ref'], '', { own: 'own' });
  const names = Object.keys(verdicts ?? {});
  const facts = names.map(
    (name): EndpointFacts => ({
      name,
      standing: 'live',
      height: 905_000n,
      stateHeight: 904_999n,
      stillMs: 600_000,
      consensus: undefined,
      planHeight: undefined,
      hash: undefined,
    }),
  );
  const reading: AgreementReading = {
    chain: 'moving',
    endpoints: new Map(Object.entries(verdicts ?? {})),
    facts,
    compared: new Map(names.map((name) => [name, { height: 905_000n, block: 'differs', app: 'agrees' }] as const)),
    chainIds: new Map(names.map((name) => [name, 'hub-test-2'])),
    expectedChainId: 'hub-test',
    plan: { name: 'v13_0_0', height: 905_000n },
    ...more,
  };
  const head = { height: 905_000n, timeMs: nowMs - 600_000 };
  return {
    config,
    head,
    newest: { ...head, sameFor: 9, stillMs: 600_000, hasMoved: true },
    clockMs: nowMs,
    awakeMs: nowMs,
    sweeps: { isOn: false, sinceMs: nowMs, states: () => [] },
    ledger: { ...emptyLedger, isKept: false, position: () => undefined },
    observations: {
      outcome: <T extends Target, R>(check: Check<T, R>, key: string) =>
        (check.name === agreement.name && key === networkTarget.key && verdicts !== undefined
          ? { state: 'known', reading, moment: { head, clockMs: nowMs } }
          : undefined) as Outcome<R> | undefined,
    },
  };
};

test('endpoint verdicts: the own endpoint raises an alert, a stalled reference endpoint raises none', () => {
  for (const verdict of ['stuck', 'frozen', 'upgrade'] as const) {
    const states = verdictsOf(endpointStalled, viewOf({ own: verdict, ref: verdict }));
    expect(states.map(({ subject, state }) => [subject, state])).toEqual([['own', 'firing']]);
  }
  expect(verdictsOf(endpointStalled, viewOf({ own: 'ok', ref: 'stuck' })).map(({ state }) => state)).toEqual(['ok']);
  expect(verdictsOf(stateBehind, viewOf({ own: 'state_behind', ref: 'ok' }))[0]?.title).toBe(
    'own: has block 905000 and answers from state 904999',
  );
});

test('endpoint verdicts: a wrong chain and a fork are reported for any endpoint', () => {
  expect(
    verdictsOf(wrongChain, viewOf({ own: 'ok', ref: 'wrong_chain' })).map(({ term, state }) => [term, state]),
  ).toEqual([
    ['', 'ok'],
    ['hub-test-2', 'firing'],
  ]);
  const [, fork] = verdictsOf(consensusMismatch, viewOf({ own: 'ok', ref: 'forked' }));
  expect(fork).toMatchObject({ state: 'firing', title: 'ref: follows another history at 905000' });
  expect(fork?.text).toContain('Compared at 905000: the hash of the block differs.');
  const unlike = verdictsOf(consensusMismatch, viewOf({ own: 'ok', ref: 'ok' }, { compared: new Map() }));
  expect(unlike.map(({ state }) => state)).toEqual(['unknown', 'unknown']);
});

test('endpoint verdicts: no verdict for an endpoint that was not compared or is down', () => {
  for (const rule of [wrongChain, consensusMismatch, endpointStalled, stateBehind]) {
    const rounds = [verdictsOf(rule, viewOf(undefined)), verdictsOf(rule, viewOf({ own: 'down', ref: 'down' }))];
    expect(
      rounds.flat().every(({ state }) => state === 'unknown'),
      rule.name,
    ).toBe(true);
  }
});

test('chain halted: a planned upgrade is reported in one message with the plan', () => {
  const [verdict] = verdictsOf(chainHalted, viewOf({ own: 'upgrade', ref: 'upgrade' }, { chain: 'upgrade' }));
  expect(verdict).toMatchObject({ state: 'firing', title: 'hub-test: halted at upgrade height 905000 (v13_0_0)' });
  expect(verdict?.text).toContain('The halt was planned');
  const [plain] = verdictsOf(chainHalted, viewOf({ own: 'halted', ref: 'halted' }, { chain: 'halted' }));
  expect(plain?.title).toBe('hub-test: no new block since 2027-01-15 07:50:00 UTC');
  expect(plain?.text).toContain('- ref: stopped: has no new block at 905000, like the others');
  expect(endpointStalled.inhibitedBy).toContainEqual({ rule: chainHalted.name, equal: 'chain' });
});

test('endpoint verdicts: every verdict has its own text', () => {
  const [facts] = [{ height: 1n, stateHeight: 1n, stillMs: 1 } as EndpointFacts];
  const words = endpointVerdicts.map((verdict) => verdictText(facts, verdict));
  expect(new Set(words).size).toBe(endpointVerdicts.length);
});

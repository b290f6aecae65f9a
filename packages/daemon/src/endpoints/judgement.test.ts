import { expect, test } from 'vitest';
import { type EndpointFacts, judgeEndpoints } from './judgement.js';

const fact = (name: string, facts: Partial<EndpointFacts> = {}): EndpointFacts => ({
  name,
  standing: 'live',
  height: 1_000n,
  stateHeight: 1_000n,
  stillMs: 0,
  consensus: undefined,
  planHeight: undefined,
  hash: 'agrees',
  ...facts,
});
const judge = (...facts: EndpointFacts[]) => {
  const { endpoints, chain } = judgeEndpoints(facts);
  return [...endpoints.values(), chain];
};
const still = { stillMs: 600_000, consensus: 'answers' } as const;

test('verdict: one stopped endpoint out of three is stuck, three out of three are a halted chain', () => {
  const stuck = fact('a', { ...still, height: 900n, standing: 'behind' });
  expect(judge(stuck, fact('b'), fact('c'))).toEqual(['stuck', 'ok', 'ok', 'moving']);
  expect(judge(fact('a', still), fact('b', still), fact('c', still))).toEqual(['halted', 'halted', 'halted', 'halted']);
});

test('verdict: endpoints that all stop at the plan height, one block ahead of their state, wait for the upgrade', () => {
  const waiting = { ...still, planHeight: 1_000n, stateHeight: 999n };
  expect(judge(fact('a', waiting), fact('b', waiting))).toEqual(['upgrade', 'upgrade', 'upgrade']);
  expect(judge(fact('a', waiting), fact('b', { height: 1_500n, stateHeight: 1_500n }))).toEqual([
    'upgrade',
    'ok',
    'moving',
  ]);
  // The plan alone proves nothing: a chain may halt one block earlier, or at an unplanned height.
  expect(judge(fact('a', { ...still, planHeight: 1_000n }))).toEqual(['halted', 'halted']);
  expect(judge(fact('a', { ...still, planHeight: 1_001n, stateHeight: 999n }))).toEqual(['halted', 'halted']);
});

test('verdict: an endpoint that waits for the upgrade is detected before it stalls for a minute, and so is the chain', () => {
  const waiting = { planHeight: 1_000n, stateHeight: 999n, stillMs: undefined };
  expect(judge(fact('a', waiting), fact('b', waiting))).toEqual(['upgrade', 'upgrade', 'upgrade']);
  // No endpoint has a later block. That one of them was observed to move proves nothing about the time since.
  expect(judge(fact('a', waiting), fact('b', { stateHeight: undefined }))).toEqual(['upgrade', 'ok', 'upgrade']);
  expect(judge(fact('a', waiting), fact('b', { height: 1_001n, stateHeight: 1_000n }))).toEqual([
    'upgrade',
    'ok',
    'moving',
  ]);
});

test('verdict: after a start nothing is known about an endpoint that was not observed to move, or about the chain', () => {
  const started = { stillMs: undefined };
  expect(judge(fact('a', started), fact('b', started))).toEqual(['unknown', 'unknown', 'unknown']);
  expect(judge(fact('a', started), fact('b'))).toEqual(['unknown', 'ok', 'moving']);
  expect(judge(fact('a', { ...started, hash: 'differs' }), fact('b', { ...started, stateHeight: 500n }))).toEqual([
    'forked',
    'state_behind',
    'unknown',
  ]);
});

test('verdict: a hung consensus is frozen, and alone it proves nothing about the chain', () => {
  const frozen = fact('a', { stillMs: 600_000, consensus: 'hangs' });
  expect(judge(frozen)).toEqual(['frozen', 'unknown']);
  expect(judge(frozen, fact('b', { height: 1_100n, stateHeight: 1_100n }))).toEqual(['frozen', 'ok', 'moving']);
});

test('verdict: a recent block with an old state', () => {
  expect(judge(fact('a', { stateHeight: 500n }), fact('b'))).toEqual(['state_behind', 'ok', 'moving']);
  expect(judge(fact('a', { stateHeight: 999n }), fact('b'))).toEqual(['ok', 'ok', 'moving']);
});

test('verdict: a fork remains one until it is observed to agree, and does not affect the state of the chain', () => {
  const fork = fact('a', { hash: 'differs', height: 2_000n });
  expect(judge(fork, fact('b', still), fact('c', still))).toEqual(['forked', 'halted', 'halted', 'halted']);
  expect(judge(fact('a', { standing: 'forked', hash: undefined }), fact('b'))[0]).toBe('forked');
  expect(judge(fact('a', { standing: 'forked', hash: 'agrees' }), fact('b'))[0]).toBe('ok');
});

test('verdict: nothing reported, a different chain, old blocks', () => {
  expect(judge(fact('a', { height: undefined }))).toEqual(['down', 'unknown']);
  expect(judge(fact('a', { standing: 'wrong_chain', height: 9_000n, ...still }), fact('b'))).toEqual([
    'wrong_chain',
    'ok',
    'moving',
  ]);
  expect(judge(fact('a', { standing: 'syncing', height: 500n }), fact('b', still))).toEqual([
    'syncing',
    'halted',
    'halted',
  ]);
});

test('verdict: the tolerated number of blocks between two responses grows with the speed of a demo', () => {
  const late = { stateHeight: 970n };
  expect(judge(fact('a', late))).toEqual(['state_behind', 'moving']);
  expect(judge(fact('a', { ...late, speed: 60 }))).toEqual(['ok', 'moving']);
  expect(judge(fact('a', { stateHeight: 399n, speed: 60 }))).toEqual(['state_behind', 'moving']);
  const still = { stillMs: 61_000, height: 980n };
  expect(judge(fact('a', still), fact('b'))).toEqual(['stuck', 'ok', 'moving']);
  expect(judge(fact('a', { ...still, speed: 60 }), fact('b', { speed: 60 }))).toEqual(['ok', 'ok', 'moving']);
});

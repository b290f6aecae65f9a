import { messageByName, messageNames } from '@hubwatch/types/gen/registry';
import type { MessageTable } from '@hubwatch/types/runtime/table';
import { describe, expect, it } from 'vitest';
import { firstDifference } from './first-difference.js';
import { RandomForms } from './random-form.js';
import { RandomSource } from './random-source.js';
import { roundTrip } from './round-trip.js';

describe('round-trip', () => {
  it('every type of the interface: random messages are unchanged after a round trip through every codec', async () => {
    const { passed, total, counterExample, figures } = await roundTrip.run({ seed: 12, runs: 1, log: () => undefined });
    expect(counterExample).toBeUndefined();
    expect(passed).toBe(total);
    expect(figures?.['types']).toBe(1316);
    expect(total).toBeGreaterThanOrEqual(messageNames.length);
  });

  it('the same seed: the same messages; another seed: different ones', () => {
    const table = messageByName('hub.node.v3.Node') as MessageTable;
    const form = (seed: number) => new RandomForms(new RandomSource(seed), 'none').form(table);
    expect(form(5)).toStrictEqual(form(5));
    expect(firstDifference(form(5), form(6))).toBeDefined();
  });

  it('random messages: reach the limits of their values', () => {
    const seen = new Set<unknown>();
    const collect = (value: unknown): void => {
      if (Array.isArray(value)) value.forEach(collect);
      else if (value instanceof Uint8Array) seen.add(`bytes ${value.length === 0 ? 'empty' : 'some'}`);
      else if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect);
      else seen.add(value);
    };
    for (const [index, name] of messageNames.entries()) {
      collect(new RandomForms(new RandomSource(index), 'bytes').form(messageByName(name) as MessageTable));
    }
    const edges = [2n ** 53n + 1n, 2n ** 63n - 1n, -(2n ** 63n), 2n ** 64n - 1n, '\u{1F310}\u{10FFFF}', 9, undefined];
    for (const edge of [...edges, 'bytes empty', 'bytes some', '/other.Thing', 999_999_999, -100_626_394]) {
      expect(seen, String(edge)).toContain(edge);
    }
  });

  it('a difference: reported with its path', () => {
    expect(firstDifference({ a: [{ b: 1n }] }, { a: [{ b: 2n }] })).toEqual({
      path: '.a.0.b',
      wanted: '1n',
      got: '2n',
    });
    expect(firstDifference({ a: undefined }, {})).toEqual({ path: '.a', wanted: 'present', got: 'absent' });
    expect(firstDifference({ a: 1 }, { a: 1 })).toBeUndefined();
  });
});

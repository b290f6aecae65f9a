import { describe, expect, it } from 'vitest';
import { Leaf } from '../../test/sample-tables.js';
import { fromEvent } from './event.js';

describe('typed events', () => {
  it('attributes: read as JSON texts with their own quotes', () => {
    expect(
      fromEvent(Leaf, [
        { key: 'id', value: '"5"' },
        { key: 'label', value: '"a"' },
      ]),
    ).toEqual({ id: 5n, label: 'a' });
  });

  it('attributes of the node that are no field: passed over', () => {
    expect(fromEvent(Leaf, [{ key: 'mode', value: 'BeginBlock' }])).toEqual({ id: 0n, label: '' });
  });

  it('an attribute without JSON: named', () => {
    expect(() => fromEvent(Leaf, [{ key: 'label', value: 'plain' }])).toThrow(
      'test.Leaf.label: the attribute holds no JSON',
    );
  });
});

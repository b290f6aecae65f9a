import { describe, expect, it } from 'vitest';
import { Leaf } from '../../test/sample-tables.js';
import { fromEvent } from './event.js';

describe('typed events', () => {
  it('attributes: read as JSON texts including their quotes', () => {
    expect(
      fromEvent(Leaf, [
        { key: 'id', value: '"5"' },
        { key: 'label', value: '"a"' },
      ]),
    ).toEqual({ id: 5n, label: 'a' });
  });

  it('attributes of the node that are not fields: skipped', () => {
    expect(fromEvent(Leaf, [{ key: 'mode', value: 'BeginBlock' }])).toEqual({ id: 0n, label: '' });
  });

  it('an attribute without JSON: the error names it', () => {
    expect(() => fromEvent(Leaf, [{ key: 'label', value: 'plain' }])).toThrow(
      'test.Leaf.label: the attribute holds no JSON',
    );
  });
});

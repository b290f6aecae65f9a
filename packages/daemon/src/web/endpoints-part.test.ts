import { expect, test } from 'vitest';
import { endpointsPart } from './endpoints-part.js';
import type { StatusView } from './status-view.js';

const now = '2027-01-15T08:00:00.000Z';
const state = (transport: string, lowest: string, more: object = {}) => ({
  transport,
  lowest,
  heights: '700',
  isExact: true,
  ...more,
});

const cardOf = (keeps: object): string =>
  endpointsPart({
    now,
    endpoints: [{ name: 'own', role: 'own', transports: {}, earliestHeight: '5', keeps }],
  } as unknown as StatusView).html;

test('endpoint card: blocks, state and index are three bounds; transports that agree share one line', () => {
  const since = '2027-01-13T08:00:00.000Z';
  const text = cardOf({
    blocks: '901801',
    index: '901900',
    states: [state('grpc', '902000', { since }), state('rest', '902000', { since }), state('rpc', '903000')],
  });
  expect(text).toContain(
    '<div>blocks from 901801</div><div>state from 902000, 2 d <span class="soft">over grpc, rest</span></div>' +
      '<div>state from 903000, 700 heights <span class="soft">over rpc</span></div><div class="soft">index from 901900</div>',
  );
});

test('endpoint card: a bound still being searched is marked as such, and unknown bounds are not shown', () => {
  expect(cardOf({ states: [state('grpc', '902000', { isExact: false })] })).toContain(
    '<div>blocks from 5</div><div>state from 902000 or below, 700 heights',
  );
  expect(cardOf({})).not.toContain('state from');
});

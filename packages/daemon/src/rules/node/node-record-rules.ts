import { nodeNewsMs, flapWindowMs } from '../../checks/node/node-changes.js';
import { hasIncreased, range } from '../../checks/prometheus.js';
import type { NodeTarget } from '../../checks/node/watched-nodes.js';
import { emptyMinimumsText, refusedPrices } from '../../checks/node/price-minimums.js';
import type { Verdict } from '../../checks/verdict.js';
import type { Change } from '../../store/change-history.js';
import { amountText, cut, span, utc } from '../../words.js';
import type { Rule } from '../rule.js';
import { judgeEachReading } from './each-node.js';

/** Maximum length of values in a notice that come from an endpoint. */
const longest = 300;

const shown = (text: string): string => (text === '' ? 'none' : cut(text, longest));
const changeLine = ({ field, before, after }: Change): string =>
  `- ${cut(field, longest)}: ${shown(before)} -> ${shown(after)}`;

/** A change is information and not a problem: it is reported once, without a recovery notice. */
const told = (
  { key, title }: NodeTarget,
  news: readonly Change[],
  what: string,
  after: (lines: readonly string[]) => readonly string[],
): Verdict => {
  const [first] = news;
  const base = { subject: key, term: first === undefined ? '' : String(first.atMs), passedOn: true };
  if (first === undefined) return { ...base, state: 'ok', title: `${title}: ${what} unchanged`, text: '' };
  const seen = first.height === undefined ? '' : ` at height ${first.height}`;
  return {
    ...base,
    state: 'firing',
    title: `${title}: ${what} changed`,
    text: [
      ...after(news.map(changeLine).toSorted()),
      '',
      `First seen${seen}, ${utc(first.atMs)}.`,
      `Node: ${key}`,
    ].join('\n'),
  };
};

/** The chain reports that it has no such node: a wrong address in the configuration, or another chain. */
export const nodeUnregistered: Rule = {
  name: 'HubNodeUnregistered',
  severity: 'critical',
  forMs: 300_000,
  time: 'chain',
  prometheus: {
    expr: 'hub_node_registered == 0',
    labels: ['node'],
    summary: '{{ $labels.node }}: the node is not registered on the chain',
    description:
      'The chain never deletes nodes. Either the configured address is wrong, or the node was never registered on this chain. Check the address.',
  },
  evaluate: (view) => judgeRegistered(view),
};

const judgeRegistered = judgeEachReading(({ key, title }, { node }): Verdict => {
  const base = { subject: key, term: '' };
  if (node !== undefined) return { ...base, state: 'ok', title: `${title}: registered`, text: '' };
  return {
    ...base,
    state: 'firing',
    title: `${title}: the chain has no such node`,
    text: `The chain answered that there is no record of this node. Nodes are never deleted: the address in the configuration is another one, or the node was never registered here.\nNode: ${key}`,
  };
});

/** A price was changed. The notice contains the old and new price and the effect on the next change. */
export const nodePriceChanged: Rule = {
  name: 'HubNodePriceChanged',
  severity: 'info',
  forMs: 0,
  time: 'clock',
  prometheus: {
    expr: hasIncreased('hub_node_price_changes_total', nodeNewsMs),
    labels: ['node'],
    summary: '{{ $labels.node }}: the price changed',
    description:
      'Running leases keep their price until they are renewed. A renewal uses the new price and fails if it is higher. `hub_node_price` shows the new price. Check that the change was intended.',
  },
  evaluate: (view) => judgePrice(view),
};

const judgePrice = judgeEachReading((target, { changes, minimums }) =>
  told(target, changes?.prices ?? [], 'its price', (lines) => [
    ...lines,
    '',
    'Running leases keep their price until they are renewed; a renewal takes the new one and fails where it is higher.',
    ...[emptyMinimumsText(minimums)].filter((text) => text !== ''),
  ]),
);

/** The published addresses were changed: users and monitors reach another host from now on. */
export const nodeAddressChanged: Rule = {
  name: 'HubNodeAddressChanged',
  severity: 'info',
  forMs: 0,
  time: 'clock',
  prometheus: {
    expr: hasIncreased('hub_node_address_changes_total', nodeNewsMs),
    labels: ['node'],
    summary: '{{ $labels.node }}: the published addresses changed',
    description: 'Users and monitors now connect to the new addresses. Check that the change was intended.',
  },
  evaluate: (view) => judgeAddresses(view),
};

const judgeAddresses = judgeEachReading((target, { changes }) =>
  told(target, changes?.addresses ?? [], 'what it publishes', (lines) => lines),
);

/** Number of status changes in six hours from which a node flaps. */
const flapping = 4;

/** A node repeatedly becomes active and inactive: each lapse ends all its leases. */
export const nodeStatusFlapping: Rule = {
  name: 'HubNodeStatusFlapping',
  severity: 'warning',
  forMs: 0,
  time: 'chain',
  inhibitedBy: [{ rule: 'HubChainHalted', equal: 'chain' }],
  prometheus: {
    expr: `max without (status) (changes(hub_node_status{status="active"}[${range(flapWindowMs)}])) > ${flapping}`,
    labels: ['node'],
    summary: '{{ $labels.node }}: the status changed {{ $value | printf "%.0f" }} times within six hours',
    description:
      'Each time the node becomes inactive, all its leases end, and they do not return. Check whether two programs send status transactions with the same key, or whether the interval is too close to the timeout.',
  },
  evaluate: (view) => judgeFlapping(view),
};

const judgeFlapping = judgeEachReading(({ key, title }, { changes }): Verdict => {
  const base = { subject: key, term: '' };
  const flips = changes?.flips ?? [];
  if (flips.length <= flapping) return { ...base, state: 'ok', title: `${title}: its status is steady`, text: '' };
  const first = flips.at(-1)?.atMs ?? 0;
  return {
    ...base,
    state: 'firing',
    title: `${title}: its status changed ${flips.length} times within ${span((flips[0]?.atMs ?? first) - first)}`,
    text: [
      ...flips.map(({ before, after, atMs }) => `- ${utc(atMs)}: ${before} -> ${after}`),
      '',
      'Every lapse ends all leases of the node, and being active again brings none back. Two programs may be sending status transactions with one key, or the interval is too close to the timeout.',
      `Node: ${key}`,
    ].join('\n'),
  };
});

/** A price is below the current minimums. It stays in effect, but an update with this price is refused. */
export const nodePriceRefused: Rule = {
  name: 'HubNodePriceRefused',
  severity: 'info',
  forMs: 3_600_000,
  time: 'chain',
  prometheus: {
    notInMetrics:
      '`hub_node_price_refused` is also 1 while the chain has no minimum prices. That affects every node and is not reported for each of them.',
  },
  evaluate: (view) => judgeRefused(view),
};

const judgeRefused = judgeEachReading(({ key, title }, { node, minimums }): Verdict => {
  const base = { subject: key, term: '' };
  if (node === undefined || minimums === undefined)
    return { ...base, state: 'unknown', title: `${title}: minimum prices not known`, text: '' };
  // An empty list concerns the chain and not the node. It is reported with the parameters and on the page, not once for each
  // node.
  const refused = refusedPrices(node, minimums).filter(
    ({ refusal }) => refusal === 'below_minimum' || refusal === 'denom_not_allowed',
  );
  if (refused.length === 0) return { ...base, state: 'ok', title: `${title}: its prices are allowed`, text: '' };
  return {
    ...base,
    state: 'firing',
    title: `${title}: its prices could not be set again`,
    text: [
      ...refused.slice(0, 20).map(({ unit, denom, price, minimum }) => {
        const coin = cut(denom, 100);
        const value = `${amountText(price.quoteValue, coin)} a ${unit}`;
        return minimum === undefined
          ? `- ${value}: the chain allows no price in ${coin}`
          : `- ${value}: the minimum is ${amountText(minimum.quoteValue, coin)}, and ${minimum.baseValue} as a base value`;
      }),
      '',
      'The prices are kept and charged. A price update or registration with these prices is refused.',
      `Node: ${key}`,
    ].join('\n'),
  };
});

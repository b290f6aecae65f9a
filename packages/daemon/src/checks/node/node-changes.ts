import { Status, StatusTable } from '@hubwatch/types/gen/forms/hub/types/v1/status';
import type { Node } from '@hubwatch/types/gen/forms/hub/node/v3/node';
import type { Price } from '@hubwatch/types/gen/forms/hub/types/v1/price';
import { shortText } from '../../enum-text.js';
import type { Change, ChangeHistory } from '../../store/change-history.js';
import { cut } from '../../words.js';

/** How long a change is reported. */
export const nodeNewsMs = 900_000;
/** Time window in which status changes are counted. */
export const flapWindowMs = 21_600_000;
/** Maximum number of prices followed per node. */
const pricesKept = 50;

/** Changes of a node's record, counted across restarts. */
export interface NodeChanges {
  /** Changes from the latest poll that found any, while they are reported. */
  readonly prices: readonly Change[];
  readonly addresses: readonly Change[];
  readonly priceChanges: number;
  readonly addressChanges: number;
  /** Status changes of the last six hours that polls detected; newest first. */
  readonly flips: readonly Change[];
}

const kinds = { price: 'node price', address: 'node address', status: 'node status' } as const;

/** Stores a node's record and returns its changes. Times are chain times if they are known. */
export const noteNode = (
  changes: ChangeHistory,
  node: Node,
  subject: string,
  height: bigint | undefined,
  atMs: number,
): NodeChanges => {
  const at = { subject, height, atMs };
  changes.note({ ...at, kind: kinds.price, fields: priceFields(node), isWhole: true });
  changes.note({ ...at, kind: kinds.address, fields: { addresses: node.remoteAddrs.join(', ') } });
  changes.note({ ...at, kind: kinds.status, fields: { status: shortText(StatusTable, node.status) } });
  return {
    prices: newsOf(changes, kinds.price, subject, atMs),
    addresses: newsOf(changes, kinds.address, subject, atMs),
    priceChanges: changes.count(kinds.price, subject),
    addressChanges: changes.count(kinds.address, subject),
    flips: changes
      .changes(kinds.status, subject)
      .filter((change) => isFlip(change) && change.atMs > atMs - flapWindowMs),
  };
};

const active = shortText(StatusTable, Status.STATUS_ACTIVE);
const isFlip = ({ before, after }: Change): boolean => (before === active) !== (after === active);

const newsOf = (changes: ChangeHistory, kind: string, subject: string, atMs: number): readonly Change[] => {
  const kept = changes.changes(kind, subject);
  return kept.filter((change) => change.atMs === kept[0]?.atMs && change.atMs > atMs - nodeNewsMs);
};

/** Maps `hour udvpn` to `8500000`. A base value, from which the chain computes the price, is appended. */
const priceFields = ({ hourlyPrices, gigabytePrices }: Node): Record<string, string> =>
  Object.fromEntries([
    ...hourlyPrices.slice(0, pricesKept).map((price) => priceField('hour', price)),
    ...gigabytePrices.slice(0, pricesKept).map((price) => priceField('gigabyte', price)),
  ]);

const priceField = (unit: string, { denom, baseValue, quoteValue }: Price): readonly [string, string] => [
  `${unit} ${cut(denom, 100)}`,
  /^[0.]*$/.test(baseValue) ? quoteValue : `${quoteValue} (base ${baseValue})`,
];

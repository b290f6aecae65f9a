import { networkNodes } from '../checks/node/network-nodes.js';
import type { Observations } from '../observations/observations.js';
import { type SumTable, sumsOf } from '../sweeps/sums.js';
import type { SweepsView } from '../sweeps/sweeps.js';
import { cut, iso } from '../words.js';

/** Maximum number of labels shown per sum; third parties choose the denominations. */
const labelsShown = 50;

/** Totals over the whole network. `undefined` if no endpoint may be queried for complete lists. */
export const networkView = (sweeps: Pick<SweepsView, 'isOn' | 'states' | 'conservation'>, nowMs: number) => {
  if (!sweeps.isOn) return undefined;
  const conservation = sweeps.conservation();
  return {
    lists: sweeps.states().map(({ collection, last, failure }) => ({
      name: collection,
      ...(last && {
        records: last.records,
        height: String(last.height),
        endpoint: last.endpoint,
        read: iso(last.completedMs),
        ageSeconds: Math.max(0, Math.round((nowMs - last.completedMs) / 1_000)),
        sums: textsOf(last.sums),
      }),
      notRead: failure && { text: cut(failure.text, 200), since: iso(failure.sinceMs) },
    })),
    deposits: conservation && {
      height: String(conservation.height),
      balances: conservation.balances.slice(0, labelsShown).map(({ denom, ...sums }) => ({
        denom: cut(denom, 128),
        deposits: String(sums.deposits),
        sessions: String(sums.sessions),
        leases: String(sums.leases),
        difference: String(sums.difference),
      })),
    },
  };
};

/** Nodes by status: from the sweep, or without sweeps from the check that counts them. */
export const countedNodes = (parts: {
  readonly sweeps: Pick<SweepsView, 'states'>;
  readonly observations: Pick<Observations, 'outcome'>;
}): Readonly<Record<string, number>> | undefined => {
  const swept = parts.sweeps.states().find(({ collection }) => collection === 'nodes')?.last;
  if (swept !== undefined)
    return Object.fromEntries([...sumsOf(swept.sums, 'nodes')].map(([status, count]) => [status, Number(count)]));
  const outcome = parts.observations.outcome(networkNodes, 'network');
  const byStatus = outcome?.state === 'known' ? outcome.reading.byStatus : undefined;
  return byStatus && Object.fromEntries(byStatus);
};

const textsOf = (sums: SumTable): Readonly<Record<string, Readonly<Record<string, string>>>> =>
  Object.fromEntries(
    [...sums].map(([name, byLabel]) => [
      name,
      Object.fromEntries([...byLabel].slice(0, labelsShown).map(([label, sum]) => [cut(label, 128), String(sum)])),
    ]),
  );

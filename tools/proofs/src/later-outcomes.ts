import type { RenewalsReading } from '@hubwatch/daemon/parts';
import { accountOf, type HubState } from '@hubwatch/devnode/chain';
import { Lease } from '@hubwatch/types/gen/forms/hub/lease/v1/lease';
import type { Disturbances } from './disturbances.js';
import { formsOf } from './recorded-chain.js';
import type { Outcome } from './term-forecasts.js';

interface Ending {
  readonly height: number;
  readonly outcomes: readonly Outcome[];
  readonly before: HubState;
}

/** A lease and its outcome at the end of its current term. */
export interface LaterOutcome {
  readonly lease: bigint;
  readonly outcome: Outcome;
  /** Whether the provider's remaining balance decides the outcome, or might. */
  readonly isTight: boolean;
}

export interface LaterOutcomes {
  /**
   * Selects the leases of a reading before a block whose terms end in a later block without any user transaction until
   * then.
   */
  of(state: HubState, height: number, reading: Pick<RenewalsReading, 'renewals'>): readonly LaterOutcome[];
}

/** With this multiple of its leases' cost, a provider has enough for all renewals regardless of its other payments. */
const plenty = 20n;

export function laterOutcomes(endings: readonly Ending[], disturbances: Disturbances): LaterOutcomes {
  const byLease = new Map<string, { readonly ending: Ending; readonly outcome: Outcome }[]>();
  for (const ending of endings)
    for (const outcome of ending.outcomes) {
      const known = byLease.get(outcome.subject) ?? [];
      byLease.set(outcome.subject, known);
      known.push({ ending, outcome });
    }
  return {
    of: (state, height, { renewals }) =>
      [...renewals.values()].flatMap(({ lease }): LaterOutcome[] => {
        const next = byLease.get(`lease ${lease.id}`)?.find(({ ending }) => ending.height >= height);
        if (next === undefined || next.ending.height === height) return [];
        const { ending, outcome } = next;
        if (standingOf(lease, state) !== standingOf(lease, ending.before)) return [];
        const isTight = !hasPlenty(lease, state) || !hasPlenty(lease, ending.before);
        if (isTight && disturbances.touch(lease.provAddress, state, height - 1, ending.height)) return [];
        return [{ lease: lease.id, outcome, isTight }];
      }),
  };
}

/** All conditions that decide about a renewal, except for the balance. */
function standingOf({ id, nodeAddress, provAddress }: Lease, state: HubState): string {
  const found = formsOf(Lease, state.leases).find((lease) => lease.id === id);
  const raw = (records: readonly unknown[], address: string): object =>
    (records as readonly { readonly address: string }[]).find((one) => one.address === address) ?? {};
  const node = raw(state.nodes, nodeAddress) as { readonly status?: string; readonly hourly_prices?: unknown };
  const provider = raw(state.providers, provAddress) as { readonly status?: string };
  const terms = found && [
    String(found.startAt?.seconds),
    String(found.maxHours),
    found.price,
    found.renewalPricePolicy,
  ];
  return JSON.stringify([
    terms,
    node.status,
    node.hourly_prices,
    provider.status,
    state.params['lease/v1'],
    state.assets,
  ]);
}

function hasPlenty({ provAddress, price }: Lease, state: HubState): boolean {
  if (price.denom !== 'udvpn') return price.quoteValue === '0';
  const cost = formsOf(Lease, state.leases)
    .filter((lease) => lease.provAddress === provAddress && lease.price.denom === price.denom)
    .reduce((sum, lease) => sum + lease.maxHours * BigInt(lease.price.quoteValue), 0n);
  return BigInt(state.balances[accountOf(provAddress)] ?? '0') >= plenty * cost;
}

import type { Lease } from '@hubwatch/types/gen/forms/hub/lease/v1/lease';
import { nodeLeases } from '../../checks/node/node-leases.js';
import type { RuleView } from '../rule.js';
import { counted } from '../../words.js';

/** What a node would lose: its leases, what they pay an hour and what is not yet paid. */
export const leasesAtStake = ({ observations }: RuleView, node: string): string => {
  const outcome = observations.outcome(nodeLeases, node);
  if (outcome?.state !== 'known') return 'Its leases are not known at the moment.';
  const { leases } = outcome.reading;
  if (leases.length === 0) return 'No lease is at stake.';
  return [
    `At stake: ${counted(leases.length, 'lease')}, ${perHour(leases)} an hour in all.`,
    ...leases.map((lease) => {
      const left = lease.maxHours - lease.hours;
      const unpaid = `${left * BigInt(lease.price.quoteValue)}${lease.price.denom}`;
      return `- lease ${lease.id} of ${lease.provAddress}: ${lease.price.quoteValue}${lease.price.denom} an hour, ${left} of ${lease.maxHours} hours unpaid (${unpaid})`;
    }),
  ].join('\n');
};

const perHour = (leases: readonly Lease[]): string => {
  const sums = new Map<string, bigint>();
  for (const { price } of leases) sums.set(price.denom, (sums.get(price.denom) ?? 0n) + BigInt(price.quoteValue));
  return [...sums].map(([denom, sum]) => `${sum}${denom}`).join(' + ');
};

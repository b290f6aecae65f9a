import type { Lease } from '@hubwatch/types/gen/forms/hub/lease/v1/lease';
import { nodeLeases } from '../../checks/node/node-leases.js';
import { type Amount, heldForLease, sumAmounts } from '../../forecast/deposits.js';
import { amountText, counted } from '../../words.js';
import { nameOf } from '../name-of.js';
import type { RuleView } from '../rule.js';
import { plansAtStake } from '../plan/plans-of-node.js';

/** Number of leases of a node; `undefined` while they are not known. */
export const leaseCount = ({ observations }: Pick<RuleView, 'observations'>, node: string): number | undefined => {
  const outcome = observations.outcome(nodeLeases, node);
  return outcome?.state === 'known' ? outcome.reading.leases.length : undefined;
};

/** Possible loss of a node: its leases, their hourly payments and the unpaid amounts. */
export const leasesAtStake = ({ config, observations }: RuleView, node: string): string => {
  const outcome = observations.outcome(nodeLeases, node);
  if (outcome?.state !== 'known') return 'Its leases are not known at the moment.';
  const { leases } = outcome.reading;
  if (leases.length === 0) return 'No lease is at stake.';
  return [
    `At stake: ${counted(leases.length, 'lease')}, ${sumText(leases.map(hourOf))} an hour in all, ${sumText(leases.map(heldForLease))} not yet paid.`,
    ...leases.map((lease) => {
      const { price, hours, maxHours } = lease;
      const left = maxHours > hours ? maxHours - hours : 0n;
      const rest =
        left === 0n
          ? `all ${counted(Number(maxHours), 'hour')} paid`
          : `${left} of ${counted(Number(maxHours), 'hour')} unpaid (${amountText(heldForLease(lease).amount, price.denom)})`;
      return `- lease ${lease.id} of ${nameOf({ config }, lease.provAddress)}: ${amountText(price.quoteValue, price.denom)} an hour, ${rest}`;
    }),
    ...plansAtStake({ config, observations }, node, leases),
  ].join('\n');
};

const hourOf = ({ price }: Lease): Amount => ({ denom: price.denom, amount: BigInt(price.quoteValue) });

const sumText = (amounts: readonly Amount[]): string => {
  const sums = sumAmounts(amounts);
  return sums.size === 0 ? 'nothing' : [...sums].map(([denom, sum]) => amountText(sum, denom)).join(' + ');
};

import { amountText, counted, span } from '../words.js';
import { type Html, html } from './html.js';
import type { LeaseView } from './lease-view.js';
import { renewalWords } from './renewal-words.js';

const leasesShown = 20;

/**
 * Leases sorted by end, behind a summary line with their number. `of` is the address that owns the leases, `count`
 * their total number.
 */
export const leaseList = (
  of: string,
  leases: readonly LeaseView[],
  { count = leases.length, most = leasesShown }: { readonly count?: number; readonly most?: number } = {},
): Html =>
  leases.length === 0
    ? html`<span class="soft">no leases</span>`
    : html`<details id="leases-${of}"><summary>${counted(count, 'lease')}, ${perHour(leases)} an hour${trouble(leases)}</summary><ul>${leases
        .toSorted(byEnd)
        .slice(0, most)
        .map(
          leaseItem,
        )}</ul>${count > most ? html`<p class="soft">and ${count - most} more</p>` : undefined}</details>`;

const byEnd = (a: LeaseView, b: LeaseView): number =>
  (a.secondsLeft ?? Number.MAX_VALUE) - (b.secondsLeft ?? Number.MAX_VALUE);

/** Number of leases that will not be renewed although they should be. */
const trouble = (leases: readonly LeaseView[]): Html | undefined => {
  const ending = leases.filter(
    ({ renewal, renewalPolicy }) => renewal?.state === 'ends' && renewalPolicy !== 'unspecified',
  );
  return ending.length === 0 ? undefined : html`, <span class="warn">${ending.length} will not be renewed</span>`;
};

const leaseItem = (lease: LeaseView): Html =>
  html`<li>lease ${lease.id}: ${amountText(lease.price, lease.denom)} an hour, ${lease.hoursPaid} of ${lease.hours} h paid${
    lease.secondsLeft === undefined ? undefined : `, ${span(lease.secondsLeft * 1_000)} left`
  }${payoutText(lease)}${lease.locked !== undefined && lease.locked !== '0' ? `, ${amountText(lease.locked, lease.denom)} locked` : undefined}; ${renewalText(lease)}</li>`;

const payoutText = ({ nextPayout, denom }: LeaseView): string => {
  if (nextPayout?.secondsLeft === undefined) return '';
  const { toNode, toStakers, secondsLeft } = nextPayout;
  const parts =
    toNode === undefined || toStakers === undefined
      ? ''
      : `: ${amountText(toNode, denom)} to the node, ${amountText(toStakers, denom)} to stakers`;
  return `, next payout in ${span(secondsLeft * 1_000)}${parts}`;
};

const renewalText = ({ renewal, renewalPolicy }: LeaseView): Html | string => {
  if (renewal === undefined || renewalPolicy === 'unspecified') return renewalWords(renewalPolicy);
  if (renewal.state === 'renews') return renewal.sentences.join();
  const sentences = renewal.sentences.join('; ');
  return renewal.state === 'ends'
    ? html`<span class="warn">will end: ${sentences}</span>`
    : html`<span class="soft">renewal open: ${sentences}</span>`;
};

const perHour = (leases: readonly LeaseView[]): string => {
  const sums = new Map<string, bigint>();
  for (const { price, denom } of leases)
    if (/^\d{1,60}$/.test(price)) sums.set(denom, (sums.get(denom) ?? 0n) + BigInt(price));
  const shown = [...sums].slice(0, 3).map(([denom, sum]) => amountText(String(sum), denom));
  return `${shown.join(' + ')}${sums.size > shown.length ? ' and more' : ''}`;
};

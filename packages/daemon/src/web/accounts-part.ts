import { amountText, counted, span } from '../words.js';
import type { AccountView, SubscriptionView } from './account-view.js';
import { boundedRows } from './bounded-rows.js';
import { type Html, html } from './html.js';
import { clockOf } from './page-time.js';
import type { StatusView } from './status-view.js';

const shown = 10;
/** Heartbeat runway below which the operator should act, seconds. */
const shortSeconds = 3 * 86_400;

/**
 * Watched accounts ordered by runway: balance, heartbeats, fee grants, subscriptions. `undefined` if no account is
 * watched.
 */
export const accountsPart = ({ accounts, now }: StatusView, rowBytes: number): Html | undefined => {
  if (accounts.length === 0) return undefined;
  const sorted = accounts.toSorted((a, b) => urgency(a) - urgency(b));
  const { rows, left } = boundedRows(sorted, (account) => accountRow(account, now), rowBytes);
  return html`<h2>Watched accounts</h2><table class="cards"><thead><tr><th>Account</th><th>Balance</th><th>Pays</th><th>Subscriptions</th></tr></thead><tbody>${rows}</tbody></table>${
    left > 0
      ? html`<p class="soft">${counted(left, 'account')} more: <a href="/api/v1/status">JSON</a> has all.</p>`
      : undefined
  }`;
};

/** Sorts low balances first, then accounts that were not read, then by the remaining runway. */
const urgency = ({ balances, heartbeats }: AccountView): number => {
  if (balances === undefined) return -1;
  if (balances.some(({ isLow }) => isLow)) return -2;
  return heartbeats?.runwaySeconds ?? 1e15;
};

const accountRow = (account: AccountView, now: string): Html => html`<tr>
<td class="who">${account.title === account.address ? undefined : html`<strong>${account.title}</strong> `}<code>${account.address}</code></td>
<td class="wide">${balanceText(account)}</td>
<td class="wide">${heartbeatsText(account.heartbeats)}${account.grants?.map((grant) => grantText(grant, now))}</td>
<td class="wide">${subscriptionsText(account)}</td></tr>`;

const balanceText = ({ balances, deposit = [], balancesNotRead }: AccountView): Html =>
  balances === undefined
    ? html`<span class="warn">not read: ${balancesNotRead}</span>`
    : html`${balances
        .slice(0, 3)
        .map(
          ({ denom, amount, minimum, isLow }) =>
            html`<div><span class="${isLow ? 'bad' : ''}">${amountText(amount, denom)}</span>${minimum === undefined ? undefined : html` <span class="soft">of at least ${amountText(minimum, denom)}</span>`}</div>`,
        )}${deposit.slice(0, 3).map(({ denom, amount }) => html`<div class="soft">deposit ${amountText(amount, denom)}</div>`)}`;

const heartbeatsText = (heartbeats: AccountView['heartbeats']): Html | undefined => {
  if (heartbeats === undefined) return undefined;
  const { nodes, runwaySeconds, perDay, denom } = heartbeats;
  const who = nodes.length === 1 ? (nodes[0] ?? '') : counted(nodes.length, 'node');
  return runwaySeconds === undefined
    ? html`<div>free heartbeats of ${who}</div>`
    : html`<div><span class="${runwaySeconds < shortSeconds ? 'bad' : ''}">lasts about <strong>${span(runwaySeconds * 1_000)}</strong></span> <span class="soft">at ${amountText(perDay, denom)} a day for heartbeats of ${who}</span></div>`;
};

const grantText = (
  { granter, expires, left, paysHeartbeats }: NonNullable<AccountView['grants']>[number],
  now: string,
): Html =>
  html`<div class="soft">fees granted by <code>${granter}</code>: ${left === undefined ? 'no limit' : left.map(({ denom, amount }) => amountText(amount, denom)).join(', ')}${expires && html`, until ${clockOf(expires, now)}`}${paysHeartbeats === false ? ', not for heartbeats' : undefined}</div>`;

const subscriptionsText = ({ address, subscriptions, notRead }: AccountView): Html | undefined => {
  if (subscriptions === undefined)
    return notRead === undefined ? undefined : html`<span class="warn">not read: ${notRead}</span>`;
  if (subscriptions.length === 0) return html`<span class="soft">no subscriptions</span>`;
  const left = subscriptions.length - shown;
  return html`<details id="subscriptions-${address}"><summary>${counted(subscriptions.length, 'subscription')}${trouble(subscriptions)}</summary><ul>${subscriptions
    .slice(0, shown)
    .map(item)}</ul>${left > 0 ? html`<p class="soft">and ${left} more</p>` : undefined}</details>`;
};

const trouble = (all: readonly SubscriptionView[]): Html | undefined => {
  const ending = all.filter(
    ({ renewal, renewalPolicy }) => renewal?.renews === false && renewalPolicy !== 'unspecified',
  );
  return ending.length === 0 ? undefined : html`, <span class="warn">${ending.length} will not be renewed</span>`;
};

const item = (one: SubscriptionView): Html =>
  html`<li>subscription ${one.id} of plan ${one.plan}: ${amountText(one.price, one.denom)} a period${
    one.paidBy === undefined ? undefined : html`, paid by <code>${one.paidBy}</code>`
  }${endText(one)}${allocationText(one)}${
    one.renewal && html`; <span class="${one.renewal.renews ? '' : 'warn'}">${one.renewal.sentence}</span>`
  }</li>`;

const endText = ({ status, secondsLeft }: SubscriptionView): string => {
  if (secondsLeft === undefined) return '';
  return status === 'active'
    ? `, ${span(secondsLeft * 1_000)} left`
    : `, over, deleted in ${span(secondsLeft * 1_000)}`;
};

const allocationText = ({ allocation }: SubscriptionView): string =>
  allocation === undefined
    ? ''
    : `, ${gigabytes(allocation.remainingBytes)} of ${gigabytes(allocation.grantedBytes)} left`;

/** Formats a byte count; bounds the text because a hostile endpoint may report any number. */
const gigabytes = (bytes = '0'): string =>
  /^\d{1,24}$/.test(bytes) ? `${(Number(bytes) / 1e9).toFixed(1)} GB` : 'over 10^15 GB';

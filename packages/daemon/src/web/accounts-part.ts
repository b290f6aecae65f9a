import { amountText, counted, span } from '../words.js';
import type { AccountView, SubscriptionView } from './account-view.js';
import { boundedRows } from './bounded-rows.js';
import { type Html, html } from './html.js';
import type { StatusView } from './status-view.js';

/** Bytes that rows of accounts may take. */
const rowBytes = 6_000;
const shown = 10;

/** Watched accounts: balance, and the subscriptions that they pay or share; nothing when none is watched. */
export const accountsPart = ({ accounts }: StatusView): Html | undefined => {
  if (accounts.length === 0) return undefined;
  const { rows, left } = boundedRows(accounts, accountRow, rowBytes);
  return html`<h2>Watched accounts</h2><table class="cards"><thead><tr><th>Account</th><th>Balance</th><th>Subscriptions</th></tr></thead><tbody>${rows}</tbody></table>${
    left > 0
      ? html`<p class="soft">${counted(left, 'account')} more: <a href="/api/v1/status">JSON</a> has all.</p>`
      : undefined
  }`;
};

const accountRow = ({ address, alias, balances, subscriptions, notRead }: AccountView): Html => html`<tr>
<td class="who">${alias && html`<strong>${alias}</strong> `}<code>${address}</code></td>
<td data-label="Balance">${
  balances === undefined
    ? html`<span class="warn">not read</span>`
    : balances.slice(0, 3).map(({ amount, denom }) => html`<div>${amountText(amount, denom)}</div>`)
}</td>
<td class="wide">${
  subscriptions === undefined
    ? html`<span class="warn">not read: ${notRead}</span>`
    : subscriptions.length === 0
      ? html`<span class="soft">no subscriptions</span>`
      : html`<details id="subscriptions-${address}"><summary>${counted(subscriptions.length, 'subscription')}${trouble(subscriptions)}</summary><ul>${subscriptions
          .slice(0, shown)
          .map(
            item,
          )}</ul>${subscriptions.length > shown ? html`<p class="soft">and ${subscriptions.length - shown} more</p>` : undefined}</details>`
}</td></tr>`;

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

/** What a hostile endpoint makes of a number of bytes is bounded. */
const gigabytes = (bytes = '0'): string =>
  /^\d{1,24}$/.test(bytes) ? `${(Number(bytes) / 1e9).toFixed(1)} GB` : 'over 10^15 GB';

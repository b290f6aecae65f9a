import { amountText, counted } from '../words.js';
import { boundedRows } from './bounded-rows.js';
import { type Html, html } from './html.js';
import { leaseList } from './leases-part.js';
import type { ProviderView } from './provider-view.js';
import type { StatusView } from './status-view.js';

/** Bytes that rows of providers may take. */
const rowBytes = 8_000;

/** Watched providers: status, leases, and whether the money reaches; nothing when none is watched. */
export const providersPart = ({ providers }: StatusView): Html | undefined => {
  if (providers.length === 0) return undefined;
  const { rows, left } = boundedRows(providers, providerRow, rowBytes);
  return html`<h2>Watched providers</h2><table class="cards"><thead><tr><th>Provider</th><th>Status</th><th>Money</th><th>Leases</th></tr></thead><tbody>${rows}</tbody></table>${
    left > 0
      ? html`<p class="soft">${counted(left, 'provider')} more: <a href="/api/v1/status">JSON</a> has all.</p>`
      : undefined
  }`;
};

const providerRow = (provider: ProviderView): Html => {
  const who = html`<td class="who">${provider.alias && html`<strong>${provider.alias}</strong> `}<code>${provider.address}</code></td>`;
  if ('notRead' in provider)
    return html`<tr>${who}<td class="wide"><span class="warn">not read: ${provider.notRead}</span></td><td></td><td></td></tr>`;
  return html`<tr>${who}
<td data-label="Status">${statusText(provider.status)}</td>
<td class="wide">${provider.money.slice(0, 3).map(moneyText)}</td>
<td class="wide">${leaseList(provider.address, provider.leases, provider.leaseCount)}</td></tr>`;
};

const statusText = (status: string | undefined): Html =>
  status === undefined
    ? html`<span class="bad">not registered</span>`
    : html`<span class="${status === 'active' ? 'good' : 'bad'}">${status}</span>`;

type Money = Extract<ProviderView, { readonly money: unknown }>['money'][number];

const moneyText = ({ denom, balance, deposit, committed, isCovered, renewalsIn24h, reaches }: Money): Html =>
  html`<div>${
    balance === undefined
      ? undefined
      : html`balance <span class="${reaches === false ? 'bad' : ''}">${amountText(balance, denom)}</span>`
  }${renewalsIn24h === undefined || renewalsIn24h === '0' ? undefined : `, renewals of the next 24 h take ${amountText(renewalsIn24h, denom)}`}</div><div class="soft">deposit <span class="${isCovered ? '' : 'bad'}">${amountText(deposit, denom)}</span>, of which leases still pay ${amountText(committed, denom)}</div>`;

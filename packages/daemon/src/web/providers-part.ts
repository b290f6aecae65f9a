import { amountText, counted } from '../words.js';
import { boundedRows } from './bounded-rows.js';
import { type Html, html } from './html.js';
import { leaseList } from './leases-part.js';
import type { PlanView } from './plan-view.js';
import type { ProviderView } from './provider-view.js';
import type { StatusView } from './status-view.js';

const plansShown = 10;
/** Maximum number of leases per provider; a watched node also shows its own leases. */
const leasesShown = 6;
const lostShown = 3;

/** Watched providers: status, leases, and whether the balance is sufficient. `undefined` if no provider is watched. */
export const providersPart = ({ providers }: StatusView, rowBytes: number): Html | undefined => {
  if (providers.length === 0) return undefined;
  const { rows, left } = boundedRows(providers, providerRow, rowBytes);
  return html`<h2>Watched providers</h2><table class="cards"><thead><tr><th>Provider</th><th>Status</th><th>Money</th><th>Leases and plans</th></tr></thead><tbody>${rows}</tbody></table>${
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
<td class="short" data-label="Status">${statusText(provider.status)}</td>
<td class="wide">${provider.money.slice(0, 3).map(moneyText)}</td>
<td class="wide">${leaseList(provider.address, provider.leases, { count: provider.leaseCount, most: leasesShown })}${plansPart(provider)}</td></tr>`;
};

type ReadProvider = Extract<ProviderView, { readonly money: unknown }>;

const plansPart = ({ address, plans, income }: ReadProvider): Html | undefined => {
  if (plans === undefined || plans.length === 0) return undefined;
  const lost = plans.reduce((sum, plan) => sum + plan.lost.length, 0);
  const coming = (income.in24h ?? []).slice(0, 3).map(({ amount, denom }) => amountText(amount, denom));
  return html`<details id="plans-${address}"><summary>${counted(plans.length, 'plan')}${
    coming.length === 0 ? undefined : `, renewals bring up to ${coming.join(' + ')} in 24 h`
  }${lost === 0 ? undefined : html`, <span class="warn">${counted(lost, 'node link')} lost</span>`}</summary><ul>${plans.slice(0, plansShown).map(planItem)}</ul></details>`;
};

const planItem = (plan: PlanView): Html =>
  html`<li>plan ${plan.id}: <span class="${plan.status === 'active' ? 'good' : 'warn'}">${plan.status}</span>${
    plan.private ? ', private' : ''
  }, ${plan.prices
    .slice(0, 3)
    .map(({ price, denom }) => amountText(price, denom))
    .join(' or ')}, ${counted(plan.nodes, 'node')}, ${
    plan.subscriptions === undefined
      ? html`<span class="warn">subscriptions not counted: ${plan.notCounted}</span>`
      : `${subscriptionWords(plan.subscriptions)}, ${counted(plan.renewalsIn24h ?? 0, 'renewal')} in 24 h, ${plan.renewalsIn7d ?? 0} in 7 days`
  }${plan.lost.slice(0, lostShown).map(lostText)}</li>`;

const subscriptionWords = (byStatus: Readonly<Record<string, number>>): string =>
  `${counted(byStatus['active'] ?? 0, 'active subscription')}, ${byStatus['inactive_pending'] ?? 0} ending`;

/** A node that was removed from the plan, and the lease whose end removed it. */
const lostText = ({ node, lease }: PlanView['lost'][number]): Html =>
  html`<div class="warn">${node} left it: ${
    lease === undefined
      ? 'no lease ended; the provider may have unlinked it'
      : `lease ${lease.id} ended in block ${lease.height} (${lease.reason.replaceAll('_', ' ')})`
  }</div>`;

const statusText = (status: string | undefined): Html =>
  status === undefined
    ? html`<span class="bad">not registered</span>`
    : html`<span class="${status === 'active' ? 'good' : 'bad'}">${status}</span>`;

type Money = ReadProvider['money'][number];

const moneyText = ({ denom, balance, deposit, committed, isCovered, renewalsIn24h, reaches }: Money): Html =>
  html`<div>${
    balance === undefined
      ? undefined
      : html`balance <span class="${reaches === false ? 'bad' : ''}">${amountText(balance, denom)}</span>`
  }${renewalsIn24h === undefined || renewalsIn24h === '0' ? undefined : `, renewals of the next 24 h take ${amountText(renewalsIn24h, denom)}`}</div><div class="soft">deposit <span class="${isCovered ? '' : 'bad'}">${amountText(deposit, denom)}</span>, of which leases still pay ${amountText(committed, denom)}</div>`;

import { counted, span } from '../words.js';
import { amountText } from './amount.js';
import { type Html, html } from './html.js';
import { clockOf } from './page-time.js';
import { renewalWords } from './renewal-words.js';
import type { StatusView } from './status-view.js';

type NodeRow = StatusView['nodes'][number];

/** Bytes that rows of nodes may take; the whole page stays below 60 kB. */
const rowBytes = 36_000;
const leasesShown = 20;

/** Watched nodes, those in trouble first, then by the time that they have left. */
export const nodesPart = ({ nodes, now }: StatusView): Html => {
  if (nodes.length === 0)
    return html`<h2>Watched nodes</h2><p class="soft">None. Add their addresses under watch.nodes in the configuration.</p>`;
  const rows: Html[] = [];
  let bytes = 0;
  for (const node of nodes.toSorted((a, b) => urgency(a) - urgency(b))) {
    const row = nodeRow(node, now);
    bytes += Buffer.byteLength(row.html);
    if (bytes > rowBytes) break;
    rows.push(row);
  }
  const left = nodes.length - rows.length;
  return html`<h2>Watched nodes</h2><table class="cards"><thead><tr><th>Node</th><th>Heartbeat</th><th>Sessions</th><th>Leases</th></tr></thead><tbody>${rows}</tbody></table>${
    left > 0
      ? html`<p class="soft">${counted(left, 'node')} more, less urgent than these: <a href="/api/v1/status">JSON</a> has all.</p>`
      : undefined
  }`;
};

/** Seconds left; what is inactive or not read comes before all of them. */
const urgency = (node: NodeRow): number => {
  if ('notRead' in node) return -1e15;
  if (node.status !== 'active') return -1e14;
  return node.secondsLeft ?? 1e15;
};

const nodeRow = (node: NodeRow, now: string): Html => html`<tr>
<td class="who">${node.alias && html`<strong>${node.alias}</strong> `}<code>${node.address}</code></td>
<td class="wide">${'notRead' in node ? html`<span class="warn">not read: ${node.notRead}</span>` : heartbeat(node, now)}</td>
<td data-label="Sessions">${sessionsText(node.sessions)}</td>
<td class="wide">${node.leases === undefined ? html`<span class="warn">leases not read</span>` : leaseList(node.address, node.leases)}</td></tr>`;

const heartbeat = (node: Exclude<NodeRow, { readonly notRead: string }>, now: string): Html => {
  if (!node.registered) return html`<span class="bad">not registered</span>`;
  const last = node.statusAt && html` <span class="soft">last ${clockOf(node.statusAt, now)}</span>`;
  if (node.status !== 'active') return html`<strong class="bad">${node.status}</strong>${last}`;
  return html`<span class="good">active</span>${
    node.secondsLeft === undefined ? undefined : html`, <strong>${span(node.secondsLeft * 1_000)}</strong> left`
  }${last}<span class="soft">, usually every ${span(node.usualIntervalSeconds * 1_000)}${node.usualIntervalLearned ? '' : ' (assumed)'}</span>`;
};

/** Status words of sessions as people say them. */
const sessionWords: Readonly<Record<string, string>> = { inactive_pending: 'ending' };

const sessionsText = (sessions: NodeRow['sessions']): Html | string => {
  if (sessions === undefined) return html`<span class="warn">not read</span>`;
  const shown = Object.entries(sessions).filter(([, count]) => count > 0);
  return shown.length === 0
    ? 'none'
    : shown
        .slice(0, 6)
        .map(([status, count]) => `${count} ${sessionWords[status] ?? status.replaceAll('_', ' ')}`)
        .join(', ');
};

type LeaseRow = NonNullable<NodeRow['leases']>[number];

const leaseList = (node: string, leases: readonly LeaseRow[]): Html =>
  leases.length === 0
    ? html`<span class="soft">no leases</span>`
    : html`<details id="leases-${node}"><summary>${counted(leases.length, 'lease')}, ${perHour(leases)} an hour</summary><ul>${leases
        .slice(0, leasesShown)
        .map(
          (lease) =>
            html`<li>lease ${lease.id}: ${amountText(lease.price, lease.denom)} an hour, ${lease.hoursPaid} of ${lease.hours} h paid${
              lease.secondsLeft === undefined ? undefined : `, ${span(lease.secondsLeft * 1_000)} left`
            }, ${renewalWords(lease.renewalPolicy)}</li>`,
        )}</ul>${leases.length > leasesShown ? html`<p class="soft">and ${leases.length - leasesShown} more</p>` : undefined}</details>`;

const perHour = (leases: readonly LeaseRow[]): string => {
  const sums = new Map<string, bigint>();
  for (const { price, denom } of leases)
    if (/^\d{1,60}$/.test(price)) sums.set(denom, (sums.get(denom) ?? 0n) + BigInt(price));
  const shown = [...sums].slice(0, 3).map(([denom, sum]) => amountText(String(sum), denom));
  return `${shown.join(' + ')}${sums.size > shown.length ? ' and more' : ''}`;
};

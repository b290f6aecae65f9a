import { amountText, counted, span } from '../words.js';
import { boundedRows } from './bounded-rows.js';
import { type Html, html } from './html.js';
import { leaseList } from './leases-part.js';
import { clockOf } from './page-time.js';
import type { StatusView } from './status-view.js';

type NodeRow = StatusView['nodes'][number];

/** Watched nodes within the byte limit: nodes with problems first, then by the time left. */
export const nodesPart = ({ nodes, now }: StatusView, rowBytes: number): Html => {
  if (nodes.length === 0)
    return html`<h2>Watched nodes</h2><p class="soft">None. Add their addresses under watch.nodes in the configuration.</p>`;
  const byUrgency = nodes.toSorted((a, b) => urgency(a) - urgency(b));
  const { rows, left } = boundedRows(byUrgency, (node) => nodeRow(node, now), rowBytes);
  return html`<h2>Watched nodes</h2><table class="cards"><thead><tr><th>Node</th><th>Heartbeat</th><th>Sessions</th><th>Leases</th></tr></thead><tbody>${rows}</tbody></table>${
    left > 0
      ? html`<p class="soft">${counted(left, 'node')} more, less urgent than these: <a href="/api/v1/status">JSON</a> has all.</p>`
      : undefined
  }`;
};

/** Seconds left; inactive nodes and nodes that were not read sort first. */
const urgency = (node: NodeRow): number => {
  if ('notRead' in node) return -1e15;
  if (node.status !== 'active') return -1e14;
  return node.secondsLeft ?? 1e15;
};

const nodeRow = (node: NodeRow, now: string): Html => html`<tr>
<td class="who">${node.alias && html`<strong>${node.alias}</strong> `}<code>${node.address}</code></td>
<td class="wide">${'notRead' in node ? html`<span class="warn">not read: ${node.notRead}</span>` : heartbeat(node, now)}${reachText(node.reach)}</td>
<td data-label="Sessions">${sessionsText(node.sessions)}${sessionsMore(node.sessions)}</td>
<td class="wide">${node.leases === undefined ? html`<span class="warn">leases not read</span>` : leaseList(node.address, node.leases)}</td></tr>`;

const heartbeat = (node: Exclude<NodeRow, { readonly notRead: string }>, now: string): Html => {
  if (!node.registered) return html`<span class="bad">not registered</span>`;
  const last = node.statusAt && html` <span class="soft">last ${clockOf(node.statusAt, now)}</span>`;
  if (node.status !== 'active') return html`<strong class="bad">${node.status}</strong>${last}`;
  return html`<span class="good">active</span>${
    node.secondsLeft === undefined ? undefined : html`, <strong>${span(node.secondsLeft * 1_000)}</strong> left`
  }${last}<span class="soft">, usually every ${span(node.usualIntervalSeconds * 1_000)}${node.usualIntervalLearned ? '' : ' (assumed)'}</span>`;
};

/** Display text of session statuses. */
const sessionWords: Readonly<Record<string, string>> = { inactive_pending: 'ending' };

const sessionsText = (sessions: NodeRow['sessions']): Html | string => {
  if (sessions === undefined) return html`<span class="warn">not read</span>`;
  const shown = Object.entries(sessions.byStatus).filter(([, count]) => count > 0);
  return shown.length === 0
    ? 'none'
    : shown
        .slice(0, 6)
        .map(([status, count]) => `${count} ${sessionWords[status] ?? status.replaceAll('_', ' ')}`)
        .join(', ');
};

/** Maximum number of denominations on a line. */
const denomsShown = 2;

/** Unusual sessions, and the amounts earned and at stake. */
const sessionsMore = (sessions: NodeRow['sessions']): Html | undefined => {
  if (sessions === undefined) return undefined;
  const { stale = 0, overdue = 0, lapsed } = sessions;
  const full = sessions.bytesLimit.over + sessions.durationLimit.over;
  const amounts = (part: 'toNode' | 'atStake'): string =>
    sessions.expected
      .filter((sums) => sums[part] !== '0')
      .slice(0, denomsShown)
      .map((sums) => amountText(sums[part], sums.denom))
      .join(' + ');
  const [due, atStake] = [amounts('toNode'), amounts('atStake')];
  const facts = [
    ...(stale + lapsed > 0 ? [`${stale + lapsed} silent`] : []),
    ...(full > 0 ? [`${full} at a limit`] : []),
    ...(due === '' ? [] : [`${due} earned`]),
    ...(atStake === '' ? [] : [`${atStake} at stake`]),
  ];
  return html`${overdue > 0 ? html` <span class="warn">${overdue} overdue</span>` : undefined}${
    facts.length > 0 ? html` <span class="soft">${facts.join(', ')}</span>` : undefined
  }`;
};

const reachText = (reach: NodeRow['reach']): Html | undefined => {
  if (reach === undefined || reach.length === 0) return undefined;
  const other = reach.find(({ otherNode }) => otherNode !== undefined);
  if (other !== undefined) return html` <span class="bad">another node answers at ${other.address}</span>`;
  const reached = reach.filter(({ state }) => state === 'reached').length;
  if (reached > 0)
    return html` <span class="soft">reached at ${reached} of ${reach.length} ${reach.length === 1 ? 'address' : 'addresses'}</span>`;
  return html` <span class="bad">not reached: ${[...new Set(reach.map(({ state }) => state))].join(', ')}</span>`;
};

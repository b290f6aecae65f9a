import { counted, impossibleTime, span } from '../words.js';
import { type Html, html } from './html.js';
import { script, styles } from './page-assets.js';
import type { StatusView } from './status-view.js';

const raw = (text: string): Html => ({ html: text });

/** The status page as a whole document; complete without JavaScript. */
export const statusPage = (view: StatusView): string => {
  const firing = view.alerts.filter(({ state }) => state === 'firing').length;
  const title = firing > 0 ? `(${firing}) hubwatch` : 'hubwatch';
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title}</title><noscript><meta http-equiv="refresh" content="5"></noscript>
<style>${raw(styles)}</style></head><body>
<header><h1>hubwatch</h1></header>
<main>${summary(view)}${alertsPart(view)}${nodesPart(view)}${endpointsPart(view)}${endedPart(view)}
<p class="soft">Written ${clock(view.now)}</p></main>
<footer class="soft"><a href="/metrics">metrics</a> · <a href="/api/v1/status">JSON</a> · version ${view.version}</footer>
<script>${raw(script)}</script></body></html>
`.html;
};

const summary = ({ chain, demo, channels }: StatusView): Html => html`
${demo && html`<p class="banner">Demo: a recorded chain is played ${demo.speed === 1 ? 'in real time' : `at ${String(demo.speed)} times its speed`}. Block times are shifted to today, and this daemon's clock runs with them.</p>`}
<p>${chain.name && html`<strong>${chain.name}</strong> · `}${
  chain.head === undefined
    ? html`<span class="bad">head not known: no endpoint answered</span>`
    : html`head <strong>${chain.head.height}</strong> of ${clock(chain.head.time)}, ${span(chain.head.ageSeconds * 1_000)} ago`
}</p>
${chain.nodes && html`<p>Nodes on the chain: ${counts(chain.nodes)}</p>`}
${channels.map(channelLines)}`;

const channelLines = ({ name, waiting, oldest, givenUpInDay, failing }: StatusView['channels'][number]): Html =>
  html`${
    failing &&
    html`<p class="bad"><strong>${name} fails${failing.recipients < failing.of ? ` for ${failing.recipients} of ${failing.of} recipients` : ''}</strong> since ${clock(failing.since)}: ${failing.means} (${failing.reason}). ${failing.advice}</p>`
  }${waiting > 0 ? html`<p class="warn">${counted(waiting, 'notice')} not yet accepted by ${name}${oldest && html`, the oldest of ${clock(oldest)}`}.</p>` : undefined}${
    givenUpInDay > 0
      ? html`<p class="bad">${counted(givenUpInDay, 'notice')} to ${name} given up in the last 24 hours; the log says why.</p>`
      : undefined
  }`;

const alertsPart = ({ alerts }: StatusView): Html =>
  html`<h2>Alerts</h2>${
    alerts.length === 0
      ? html`<p class="good">None.</p>`
      : alerts.map(
          (alert) => html`<section class="alert ${alert.severity}"><strong>${alert.title}</strong>
<span class="soft">${alert.state}, ${alert.severity}, ${alert.rule}, since ${clock(alert.since)}</span>
${alert.text !== '' && alert.state === 'firing' ? html`<pre>${alert.text}</pre>` : undefined}</section>`,
        )
  }`;

const nodesPart = ({ nodes }: StatusView): Html =>
  nodes.length === 0
    ? html`<h2>Watched nodes</h2><p class="soft">None. Add their addresses under watch.nodes in the configuration.</p>`
    : html`<h2>Watched nodes</h2><table><thead><tr><th>Node</th><th>Status</th><th>Last status</th><th>Time left</th><th>Sessions</th><th>Leases</th></tr></thead><tbody>${nodes.map(nodeRow)}</tbody></table>`;

type NodeRow = StatusView['nodes'][number];

const nodeRow = (node: NodeRow): Html => html`<tr>
<td data-label="Node">${node.alias && html`<strong>${node.alias}</strong> `}<code>${node.address}</code></td>${
  'notRead' in node
    ? html`<td data-label="Status" class="warn">not read: ${node.notRead}</td><td data-label="Last status"></td><td data-label="Time left"></td>`
    : html`<td data-label="Status" class="state ${node.status === 'active' ? 'good' : 'bad'}">${node.registered ? node.status : 'not registered'}</td>
<td data-label="Last status">${node.statusAt && clock(node.statusAt)}</td>
<td data-label="Time left">${node.secondsLeft === undefined ? undefined : span(node.secondsLeft * 1_000)}${
        node.deadline === undefined
          ? undefined
          : html` <span class="soft">usually every ${span(node.usualIntervalSeconds * 1_000)}${node.usualIntervalLearned ? '' : ' (assumed)'}</span>`
      }</td>`
}
<td data-label="Sessions">${node.sessions ? counts(node.sessions) : html`<span class="warn">not read</span>`}</td>
<td data-label="Leases">${node.leases === undefined ? html`<span class="warn">not read</span>` : leaseList(node.leases)}</td></tr>`;

const leaseList = (leases: NonNullable<NodeRow['leases']>): Html =>
  leases.length === 0
    ? html`none`
    : html`<ul>${leases.map(
        (lease) =>
          html`<li>${lease.id}: ${lease.hoursPaid} of ${lease.hours} h paid, ${lease.hourlyPrice} an hour, ${
            lease.secondsLeft === undefined ? undefined : `${span(lease.secondsLeft * 1_000)} left, `
          }renewal ${lease.renewalPolicy.replaceAll('_', ' ')}</li>`,
      )}</ul>`;

const endpointsPart = ({ endpoints }: StatusView): Html =>
  html`<h2>Endpoints</h2><table><thead><tr><th>Endpoint</th><th>Answers</th><th>Chain</th><th>Head</th><th>Oldest block</th><th>Peers</th><th>Mempool</th></tr></thead><tbody>${endpoints.map(
    (endpoint) =>
      html`<tr><td data-label="Endpoint"><strong>${endpoint.name}</strong> <span class="soft">${endpoint.role}</span></td>${
        'notRead' in endpoint
          ? html`<td data-label="Answers" class="warn">not read: ${endpoint.notRead}</td>`
          : html`<td data-label="Answers">${Object.entries(endpoint.transports).map(
              ([name, { state, text }]) =>
                html`<span class="answer ${state === 'known' ? 'good' : 'bad'}">${name} ${state === 'known' ? 'yes' : state.replace('_', ' ')}</span>${text && html` <span class="soft">${text}</span>`} `,
            )}</td>
<td data-label="Chain" class="${endpoint.isRightChain === false ? 'bad' : ''}">${endpoint.chainId} <span class="soft">${endpoint.moniker}</span></td>
<td data-label="Head">${endpoint.height}${endpoint.blockAgeSeconds === undefined ? undefined : html` <span class="soft">${span(endpoint.blockAgeSeconds * 1_000)} ago</span>`}${endpoint.catchingUp === true ? html` <span class="warn">catching up</span>` : undefined}</td>
<td data-label="Oldest block">${endpoint.earliestHeight}</td><td data-label="Peers">${endpoint.peers}</td><td data-label="Mempool">${endpoint.mempoolTransactions}</td>`
      }</tr>`,
  )}</tbody></table>`;

const endedPart = ({ ended }: StatusView): Html | undefined =>
  ended.length === 0
    ? undefined
    : html`<h2>Over</h2><ul>${ended.map(
        (alert) =>
          html`<li>${alert.title} <span class="soft">${clock(alert.since)} to ${alert.ended && clock(alert.ended)}</span></li>`,
      )}</ul>`;

const counts = (byName: Readonly<Record<string, number>>): string =>
  Object.entries(byName)
    .map(([name, count]) => `${count} ${name.replaceAll('_', ' ')}`)
    .join(', ');

const clock = (iso: string): string => (iso === impossibleTime ? iso : `${iso.slice(0, 19).replace('T', ' ')} UTC`);

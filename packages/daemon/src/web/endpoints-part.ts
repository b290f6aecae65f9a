import { span } from '../words.js';
import { type Html, html } from './html.js';
import type { StatusView } from './status-view.js';

type EndpointRow = StatusView['endpoints'][number];

/** Whom the daemon asks, and what they tell. */
export const endpointsPart = ({ endpoints }: StatusView): Html =>
  html`<h2>Endpoints</h2><table class="cards"><thead><tr><th>Endpoint</th><th>Answers</th><th>Head</th><th>Keeps blocks from</th><th>Peers</th><th>Mempool</th></tr></thead><tbody>${endpoints.map(endpointRow)}</tbody></table>`;

const endpointRow = (endpoint: EndpointRow): Html => html`<tr>
<td class="who"><strong>${endpoint.name}</strong> <span class="soft">${endpoint.role}${
  'notRead' in endpoint
    ? undefined
    : html`${endpoint.chainId && html` · <span class="${endpoint.isRightChain === false ? 'bad' : ''}">${endpoint.chainId}${endpoint.isRightChain === false ? ' (another chain)' : ''}</span>`}${endpoint.moniker && ` · ${endpoint.moniker}`}`
}</span></td>${
  'notRead' in endpoint
    ? html`<td class="wide warn" colspan="5">not read: ${endpoint.notRead}</td>`
    : html`<td class="wide">${Object.entries(endpoint.transports).map(
        ([name, { state, text }]) =>
          html`<span class="answer ${state === 'known' ? 'good' : 'bad'}">${name} ${state === 'known' ? 'answers' : state.replace('_', ' ')}</span>${text && html`<span class="soft">: ${text}</span>`} `,
      )}</td>
<td data-label="Head">${endpoint.height}${endpoint.blockAgeSeconds === undefined ? undefined : html` <span class="soft">${span(endpoint.blockAgeSeconds * 1_000)} ago</span>`}${endpoint.catchingUp === true ? html` <span class="warn">catching up</span>` : undefined}</td>
<td data-label="Keeps from">${endpoint.earliestHeight}</td><td data-label="Peers">${endpoint.peers}</td>
<td data-label="Mempool">${endpoint.mempoolTransactions === undefined ? undefined : `${endpoint.mempoolTransactions} waiting`}</td>`
}</tr>`;

import { counted, span } from '../words.js';
import { type Html, html } from './html.js';
import type { StatusView } from './status-view.js';

type EndpointRow = StatusView['endpoints'][number];

/** The configured endpoints and their reported state. */
export const endpointsPart = ({ endpoints, now }: StatusView): Html =>
  html`<h2>Endpoints</h2><table class="cards"><thead><tr><th>Endpoint</th><th>Answers</th><th>Head</th><th>Keeps</th><th>Peers</th><th>Mempool</th></tr></thead><tbody>${endpoints.map((endpoint) => endpointRow(endpoint, now))}</tbody></table>`;

const endpointRow = (endpoint: EndpointRow, now: string): Html => html`<tr>
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
<td class="wide">${keptText(endpoint, now)}</td><td data-label="Peers">${endpoint.peers}</td>
<td data-label="Mempool">${endpoint.mempoolTransactions === undefined ? undefined : `${endpoint.mempoolTransactions} waiting`}</td>`
}</tr>`;

type Answering = Exclude<EndpointRow, { readonly notRead: string }>;

/** Lowest heights of blocks, transaction index and state; transports that agree share one line. */
const keptText = ({ earliestHeight, keeps }: Answering, now: string): Html => {
  const blocks = keeps.blocks ?? earliestHeight;
  const byText = new Map<string, string[]>();
  for (const state of keeps.states ?? []) {
    const text = stateText(state, now);
    byText.set(text, [...(byText.get(text) ?? []), state.transport]);
  }
  return html`${blocks === undefined ? undefined : html`<div>blocks from ${blocks}</div>`}${[...byText].map(
    ([text, transports]) => html`<div>${text} <span class="soft">over ${transports.join(', ')}</span></div>`,
  )}${keeps.index === undefined ? undefined : html`<div class="soft">index from ${keeps.index}</div>`}`;
};

type KeptState = NonNullable<Answering['keeps']['states']>[number];

const stateText = ({ lowest, heights, isExact, since }: KeptState, now: string): string => {
  const back = since === undefined ? counted(Number(heights), 'height') : span(Date.parse(now) - Date.parse(since));
  return `state from ${lowest}${isExact ? '' : ' or below'}, ${back}`;
};

import { amountText, counted } from '../words.js';
import { boundedRows } from './bounded-rows.js';
import { type Html, html } from './html.js';
import type { StatusView } from './status-view.js';

type Ledger = NonNullable<StatusView['ledger']>;
type Subject = Ledger['subjects'][number];

/** Maximum bytes for rows of the ledger. */
const rowBytes = 5_000;
const sumsShown = 6;

/** Payments to and by all watched subjects, as far as they are stored. `undefined` before the first block is read. */
export const ledgerPart = ({ ledger }: StatusView): Html | undefined => {
  if (ledger === undefined || ledger.subjects.length === 0) return undefined;
  const { rows, left } = boundedRows(ledger.subjects, subjectRow, rowBytes);
  return html`<h2>Ledger</h2><p class="soft">Sums since it is kept, read up to block ${ledger.position}${ledger.isCurrent ? undefined : html`, <span class="warn">behind the chain</span>`}. By day: <code>hubwatch ledger</code></p><table class="cards"><tbody>${rows}</tbody></table>${
    left > 0
      ? html`<p class="soft">${counted(left, 'address', 'addresses')} more: <a href="/api/v1/status">JSON</a> has all.</p>`
      : undefined
  }`;
};

const subjectRow = ({ address, alias, sums }: Subject): Html =>
  html`<tr><td class="who">${alias === undefined ? html`<code>${address}</code>` : html`<strong>${alias}</strong>`}</td><td class="wide">${sums
    .filter(({ amount }) => amount !== '0')
    .slice(0, sumsShown)
    .map(
      ({ what, amount, denom, source }, index) =>
        html`${index === 0 ? '' : ', '}${what} ${amountText(amount, denom)}${source === undefined ? undefined : html` <span class="soft">${sourceWords[source] ?? source}</span>`}`,
    )}</td></tr>`;

const sourceWords: Readonly<Record<string, string>> = {
  lease: 'of leases',
  session: 'of sessions',
  subscription: 'of subscriptions',
};

import { amountText, counted, span } from '../words.js';
import { type Html, html } from './html.js';
import { clockOf } from './page-time.js';
import type { StatusView } from './status-view.js';

type Network = NonNullable<StatusView['network']>;
type ListRow = Network['lists'][number];
type Sum = Readonly<Record<string, string>>;

/** Maximum number of labels per sum on the page; JSON has more. */
const shown = 8;

/** Summary of complete network lists, each read at one height. */
export const networkPart = ({ network, now }: StatusView): Html | undefined =>
  network &&
  html`<h2>Network</h2><table class="cards"><thead><tr><th>List</th><th>Records</th><th>Of these</th><th>Read</th></tr></thead><tbody>${network.lists.map((list) => listRow(list, now))}</tbody></table>${network.deposits && depositLine(network.deposits)}`;

const listRow = ({ name, records, height, sums = {}, ageSeconds, notRead }: ListRow, now: string): Html => html`<tr>
<td class="who"><strong>${name}</strong></td>
<td data-label="Records">${records === undefined ? undefined : String(records)}</td>
<td class="wide">${Object.entries(sums).map(([sum, byLabel]) => sumText(name, sum, byLabel))}</td>
<td class="wide">${
  ageSeconds === undefined
    ? html`<span class="soft">not read yet</span>`
    : html`<span class="${notRead ? 'warn' : 'soft'}">${span(ageSeconds * 1_000)} ago, at ${height}</span>`
}${notRead && html` <span class="warn">not read since ${clockOf(notRead.since, now)}: ${notRead.text}</span>`}</td></tr>`;

const amounts = (byDenom: Sum): string => first(byDenom, ([denom, amount]) => amountText(amount, denom)) || 'nothing';

/** Text of one sum, by the kind of sum. */
const sumText = (list: string, sum: string, byLabel: Sum): Html | undefined => {
  if (sum === 'committed') return html`<div>locked for hours to come: ${amounts(byLabel)}</div>`;
  if (sum === 'deposits') return html`<div>deposited: ${amounts(byLabel)}</div>`;
  if (sum === 'ending')
    return html`<div>${first(shortestFirst(byLabel), ([term, count]) => `${count} end within ${term}`)}</div>`;
  if (sum === 'leases')
    return html`<div>by renewal policy: ${first(byLabel, ([policy, count]) => `${count} ${policy.replaceAll('_', ' ')}`)}</div>`;
  if (sum === 'bytes')
    return html`<div class="soft">${first(byLabel, ([what, bytes]) => `${gigabytes(bytes)} ${what}`)}</div>`;
  if (sum !== list || byLabel[''] !== undefined) return undefined;
  return html`<div>${first(byLabel, ([label, count]) => `${count} ${statusWords(label)}`)}</div>`;
};

/** `active`; for sessions `node active`, by funding. */
const statusWords = (label: string): string =>
  label
    .replace(/^node /, 'direct ')
    .replace(/^subscription /, 'by subscription ')
    .replace('inactive_pending', 'ending')
    .replaceAll('_', ' ');

const hours: Readonly<Record<string, number>> = { h: 1, d: 24 };

/** `1h`, `6h`, `24h`, `7d` */
const shortestFirst = (byTerm: Sum): Sum => {
  const length = (term: string): number => Number.parseInt(term, 10) * (hours[term.slice(-1)] ?? 0);
  return Object.fromEntries(Object.entries(byTerm).toSorted(([a], [b]) => length(a) - length(b)));
};

const first = (byLabel: Sum, text: (entry: readonly [string, string]) => string): string => {
  const entries = Object.entries(byLabel);
  const left = entries.length - shown;
  return [...entries.slice(0, shown).map(text), ...(left > 0 ? [`${left} more`] : [])].join(', ');
};

const gigabytes = (bytes: string): string => `${(Number(bytes) / 1e9).toFixed(1)} GB`;

/** States whether the deposits equal the amounts that sessions and leases reserve, or where they differ. */
const depositLine = ({ height, balances }: NonNullable<Network['deposits']>): Html => {
  const wrong = balances.filter(({ difference }) => difference !== '0');
  return wrong.length === 0
    ? html`<p class="soft">Deposits are those of sessions and leases, to the last unit, in ${counted(balances.length, 'denomination')} at ${height}.</p>`
    : html`<p class="warn">Deposits differ from those of sessions and leases at ${height}: ${wrong.slice(0, shown).map(({ denom, difference }) => html`${amountText(difference, denom)} `)}. What was read is not the whole truth, or the chain's rules have changed.</p>`;
};

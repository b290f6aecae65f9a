import { counted, span } from '../words.js';
import { accountsPart } from './accounts-part.js';
import { alertsPart, endedPart, silencesPart } from './alerts-part.js';
import { chainPart } from './chain-part.js';
import { endpointsPart } from './endpoints-part.js';
import { type Html, html } from './html.js';
import { ledgerPart } from './ledger-part.js';
import { networkPart } from './network-part.js';
import { nodesPart } from './nodes-part.js';
import { overallOf } from './overall.js';
import { providersPart } from './providers-part.js';
import { script, styles } from './page-assets.js';
import { clock } from './page-time.js';
import type { StatusView } from './status-view.js';

const raw = (text: string): Html => ({ html: text });

/** The status page as a complete document; works without JavaScript. */
export const statusPage = (view: StatusView): string => {
  const firing = view.alerts.filter(({ state }) => state === 'firing').length;
  const title = firing > 0 ? `(${firing}) hubwatch` : 'hubwatch';
  const [chain, ledger] = [chainPart(view), ledgerPart(view)];
  const { nodes, providers, accounts } = subjectParts(view, rowBytes - bytesOf(chain) - bytesOf(ledger));
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title}</title><noscript><meta http-equiv="refresh" content="15"></noscript>
<style>${raw(styles)}</style></head><body>
<header><h1>hubwatch${view.chain.name && html` <span class="soft">${view.chain.name}</span>`}</h1></header>
<main>${demoLine(view)}${overall(view)}${alertsPart(view)}${silencesPart(view)}${nodes}${providers}${accounts}${endpointsPart(view)}${chain}${ledger}${networkPart(view)}${endedPart(view)}
<p class="soft">Written ${clock(view.now)}.</p></main>
<footer class="soft"><a href="/metrics">metrics</a> · <a href="/api/v1/status">JSON</a> · version ${view.version}</footer>
<script>${raw(script)}</script></body></html>
`.html;
};

/** Maximum bytes for nodes, providers, accounts, chain and ledger; the whole page stays below 60 kB. */
const rowBytes = 36_000;
/** Bytes reserved for providers and for accounts, regardless of the space that nodes need. */
const leastBytes = 8_000;

/**
 * Watched subjects within the byte limit. If not all of them fit, nodes get the space that the minimum of the other
 * parts leaves.
 */
const subjectParts = (view: StatusView, bytes: number) => {
  const wanted = bytesOf(nodesPart(view, bytes));
  const providers = providersPart(view, Math.max(leastBytes, bytes - wanted - leastBytes));
  const accounts = accountsPart(view, Math.max(leastBytes, bytes - wanted - bytesOf(providers)));
  return { nodes: nodesPart(view, bytes - bytesOf(providers) - bytesOf(accounts)), providers, accounts };
};

const bytesOf = (part: Html | undefined): number => Buffer.byteLength(part?.html ?? '');

const demoLine = ({ demo }: StatusView): Html | undefined =>
  demo &&
  html`<p class="banner">Demo: a recorded chain is played ${demo.speed === 1 ? 'in real time' : `at ${String(demo.speed)} times its speed`}. Block times are shifted to today, and this daemon's clock runs with them.</p>`;

const overall = (view: StatusView): Html => {
  const { level, headline, facts } = overallOf(view);
  const { head, nodes } = view.chain;
  return html`<section class="overall is-${level}"><p class="headline">${headline}</p>
<p>${facts.join(' · ')}</p>
${
  head === undefined
    ? undefined
    : html`<p class="soft">Chain: block ${head.height}, ${span(head.ageSeconds * 1_000)} ago${nodes && ` · nodes: ${counts(nodes)}`}</p>`
}${view.channels.map(channelLines)}</section>`;
};

const channelLines = ({ name, waiting, oldest, givenUpInDay, failing }: StatusView['channels'][number]): Html =>
  html`${
    failing &&
    html`<p class="bad"><strong>${name} fails${failing.recipients < failing.of ? ` for ${failing.recipients} of ${failing.of} recipients` : ''}</strong> since ${clock(failing.since)}: ${failing.means} (${failing.reason}). ${failing.advice}</p>`
  }${waiting > 0 ? html`<p class="warn">${counted(waiting, 'notice')} not yet accepted by ${name}${oldest && html`, the oldest of ${clock(oldest)}`}.</p>` : undefined}${
    givenUpInDay > 0
      ? html`<p class="bad">${counted(givenUpInDay, 'notice')} to ${name} given up in the last 24 hours; see the log.</p>`
      : undefined
  }`;

const counts = (byName: Readonly<Record<string, number>>): string =>
  Object.entries(byName)
    .slice(0, 6)
    .map(([name, count]) => `${count} ${name.replaceAll('_', ' ')}`)
    .join(', ');

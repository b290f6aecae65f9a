import { counted, cut, span } from '../words.js';
import { boundedRows } from './bounded-rows.js';
import { type Html, html } from './html.js';
import { clock } from './page-time.js';
import type { StatusView } from './status-view.js';

type AlertRow = StatusView['alerts'][number];

/** Maximum number of alerts of one rule shown in full; more become a list. */
const shownInFull = 5;
const listed = 20;
const textLength = 3_000;

const rank = { critical: 0, warning: 1, info: 2 } as const;

/** Maximum bytes for the texts of alerts in lists. */
const listBytes = 8_000;

/** Sorts past events before upcoming ones, and upcoming ones by due time. */
export const byUrgency = (a: AlertRow, b: AlertRow): number => dueMs(a) - dueMs(b);

const dueMs = ({ due }: AlertRow): number => (due === undefined ? 0 : Date.parse(due) || 0);

/**
 * Firing alerts with the action to take, most severe and most urgent first. Many alerts of one rule become one entry.
 */
export const alertsPart = ({ alerts, now }: StatusView): Html | undefined => {
  const firing = alerts
    .filter(({ state }) => state === 'firing')
    .toSorted((a, b) => rank[a.severity] - rank[b.severity] || byUrgency(a, b));
  const pending = alerts.filter(({ state }) => state === 'pending');
  if (alerts.length === 0) return undefined;
  const byRule = new Map<string, AlertRow[]>();
  for (const alert of firing) byRule.set(alert.rule, [...(byRule.get(alert.rule) ?? []), alert]);
  return html`<h2>Alerts</h2>${[...byRule].map(([rule, all]) =>
    all.length <= shownInFull ? all.map((alert) => whole(alert, now)) : many(rule, all),
  )}${
    pending.length > 0
      ? html`<p class="soft">Pending, not yet sent: ${pending
          .toSorted(byUrgency)
          .slice(0, listed)
          .map(({ title }) => title)
          .join('; ')}${pending.length > listed ? ` and ${pending.length - listed} more` : ''}.</p>`
      : undefined
  }`;
};

const whole = (alert: AlertRow, now: string): Html => html`<section class="alert ${alert.severity}">
<p><strong>${alert.title}</strong></p><p class="soft">${alert.severity}, ${since(alert.since, now)} · ${alert.rule}${alert.quiet && ` · kept quiet by ${alert.quiet.reason} ${alert.quiet.name}`}</p>
${alert.text === '' ? undefined : html`<pre>${cut(alert.text, textLength)}</pre>`}</section>`;

const many = (rule: string, alerts: readonly AlertRow[]): Html => {
  const { rows, left } = boundedRows(alerts.slice(0, listed), withText, listBytes);
  const rest = alerts.slice(rows.length, listed).map(({ title }) => html`<p>${title}</p>`);
  return html`<section class="alert ${alerts[0]?.severity}">
<p><strong>${counted(alerts.length, 'alert')} of ${rule}</strong></p>${rows}${left > 0 ? rest : undefined}${
    alerts.length > listed ? html`<p class="soft">and ${alerts.length - listed} more</p>` : undefined
  }</section>`;
};

const withText = ({ rule, subject, title, text }: AlertRow): Html =>
  text === ''
    ? html`<p>${title}</p>`
    : html`<details id="alert-${rule}-${subject}"><summary>${title}</summary><pre>${cut(text, textLength)}</pre></details>`;

const since = (from: string, now: string): string => {
  const ms = Date.parse(now) - Date.parse(from);
  return Number.isNaN(ms) ? `since ${clock(from)}` : `for ${span(ms)}, since ${clock(from)}`;
};

/** Active silences: alerts for which no notices are sent. */
export const silencesPart = ({ silences }: StatusView): Html | undefined =>
  silences.length === 0
    ? undefined
    : html`<h2>Silences</h2><ul class="plain">${silences
        .slice(0, listed)
        .map(
          ({ id, rule = 'every rule', subject = 'every subject', until, comment }) =>
            html`<li>${rule}, ${subject}, until ${clock(until)}: ${cut(comment, 200)} <span class="soft">(${id})</span></li>`,
        )}</ul>`;

/** The most recently resolved alerts. */
export const endedPart = ({ ended }: StatusView): Html | undefined =>
  ended.length === 0
    ? undefined
    : html`<h2>Over</h2><ul class="plain">${ended.map(
        (alert) =>
          html`<li>${alert.title} <span class="soft">${clock(alert.since)} to ${alert.ended && clock(alert.ended)}</span></li>`,
      )}</ul>`;

import { dashboardQuestions } from '@hubwatch/daemon/declarations';
import { page, table } from './markdown.js';

type Declared = ReturnType<typeof dashboardQuestions>[number];
type Row = Declared['rows'][number];

/** Page about the Grafana dashboards: how they are checked, and the question that each panel answers. */
export function grafanaPage(note: string): string {
  const all = dashboardQuestions();
  const list = all.map(({ name, title, about }) => [`[${title}](#${name})`, about, `\`${name}.json\``]);
  return page('Grafana dashboards', note, [
    intro,
    table(['Dashboard', 'Answers', 'File in deploy/grafana/dashboards'], list),
    '## How they were checked',
    checked,
    '## How amounts and times are counted',
    counting,
    ...all.map(section),
  ]);
}

const intro = `Six dashboards for Grafana 11 or newer, over a Prometheus that scrapes one or more daemons.
[deploy/grafana/README.md](../deploy/grafana/README.md) describes how to import them. The declarations are in
\`packages/daemon/src/dashboards\`, one file for each dashboard.`;

const checked = `The dashboards were checked by their queries, not in a running Grafana: none was available. \`npm run prove -- dashboards\` plays a
recorded chain with two daemons and a real Prometheus, and asks every query of the shipped JSON files as Grafana would:

- Prometheus accepts each query, and it has a result on the played chain, or the panel states when it is empty although nothing is wrong.
- On a page with every declared metric, each query has a result, those of such panels too.
- The labels of a legend exist, no two series of a panel have the same name, and the columns of a table have the same labels.
- Every series that a panel uses has the same value in Prometheus as on \`/metrics\`.
- Questions about the chain have the same answer with two monitors as with one.
- Every template variable has options; nodes and accounts are listed by their alias.

Unit tests also check that each metric and label in a query is declared, that each declared metric is shown somewhere, and that
each panel has a unit, a description and links. Once, the files were compared with the published packages of Grafana 11.6: with the
types of dashboards and panels, with the list of units, and by running the transformations of each table. What a panel looks like
was not seen.`;

const counting = `Amounts are in the base unit of the denomination, such as \`udvpn\`. What was received or paid in a time is the difference of the
ledger's counters, not \`increase()\`, which extrapolates. If Prometheus scraped the monitor at the beginning of that time, the sum is
exact to the unit. Otherwise it lacks what happened before the first scrape. \`hubwatch ledger\` prints the books themselves;
\`hubwatch ledger backfill\` appears in the dashboards as income of the time in which it ran.

Time until a deadline of the chain is counted in chain time, from the block time of the agreed head. The age of data is counted by the
clock of Prometheus, so that a halted chain is visible. Bars by day stand at midnight of the browser's time zone and count the 24 hours
before it. The day so far has no bar yet; the overview shows its sums.`;

function section({ title, about, rows }: Declared): string {
  return [`## ${title}`, about, ...rows.map(rowText)].join('\n\n');
}

function rowText({ title, panels }: Row): string {
  const lines = panels.map(({ title: name, kind, question, emptyBecause, alerts }) => [
    name,
    kind,
    emptyBecause === undefined ? question : `${question} May be empty: ${emptyBecause}`,
    alerts.map((alert) => `\`${alert}\``).join(', '),
  ]);
  return `### ${title}\n\n${table(['Panel', 'Kind', 'Question', 'Alerts'], lines)}`;
}

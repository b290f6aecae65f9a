import { workspace } from '@hubwatch/bench/consumers';
import { interfaceDocs, openApi, printOpenApi } from '@hubwatch/codegen';
import { commandHelp as codegenHelp } from '@hubwatch/codegen/declarations';
import {
  alerts,
  chainMetrics,
  commandsAndExitCodes,
  configJsonSchema,
  grafanaFiles,
  leaseRenewalBlockers,
  type MetricDeclaration,
  notificationFailures,
  ownMetrics,
  exampleDocsUrl,
  prometheusAlerts,
  prometheusExample,
  prometheusOnlyAlerts,
  storeTables,
} from '@hubwatch/daemon/declarations';
import { errorCodes, retryableErrorCodes } from '@hubwatch/types/gen/errors';
import { alertSections, prometheusTable } from './alert-sections.js';
import { configPage } from './config-page.js';
import { grafanaPage } from './grafana-page.js';
import { page, table } from './markdown.js';
import { ruleTestFiles } from './rule-tests/rule-tests-file.js';

/** Pages of docs/, dashboards and the schema of the configuration, which are written from declarations: path → text. `npm run docs` writes them, a test compares them. */
export async function generatedDocs(): Promise<ReadonlyMap<string, string>> {
  const reference = [...(await interfaceDocs(workspace, 'npm run docs'))];
  return new Map([
    ['docs/metrics.md', metricsPage()],
    ['docs/alerts.md', alertsPage()],
    ['docs/errors.md', errorsPage()],
    ['docs/commands.md', commandsPage()],
    ['docs/config.md', configPage(note)],
    ['docs/grafana.md', grafanaPage(note)],
    ['packages/daemon/schema/config.json', `${JSON.stringify(configJsonSchema(), undefined, 2)}\n`],
    ...reference.map(([name, text]) => [`docs/reference/${name}`, text] as const),
    ...[...prometheusExample()].map(([name, text]) => [`deploy/prometheus/${name}`, text] as const),
    ...[...ruleTestFiles(prometheusAlerts(), exampleDocsUrl())].map(
      ([name, text]) => [`deploy/prometheus/${name}`, text] as const,
    ),
    ...[...grafanaFiles(exampleDocsUrl())].map(([name, text]) => [`deploy/grafana/dashboards/${name}`, text] as const),
    ['docs/openapi.json', printOpenApi(await openApi({ root: workspace }))],
  ]);
}

/** The table of docs/store.md; a test compares. */
export function retentionTable(): string {
  return table(
    ['Table', 'Kept'],
    storeTables().map(({ name, kept }) => [`\`${name}\``, kept]),
  );
}

const note = 'Written by `npm run docs` from declarations in the code.';

function metricsPage(): string {
  return page(
    'Metrics',
    `${note} \`hub_…\` series observe the chain, \`hubwatch_…\` series the daemon itself. A failed poll drops its series, so an old number is never repeated.`,
    ['## The chain', metricsTable(chainMetrics()), '## The daemon', metricsTable(ownMetrics())],
  );
}

function metricsTable(metrics: readonly MetricDeclaration[]): string {
  return table(
    ['Metric', 'Type', 'Labels', 'Meaning'],
    metrics.map(({ name, type, labels, help }) => [`\`${name}\``, type, labels.join(', '), help]),
  );
}

function alertsPage(): string {
  const rows = alerts().map(({ name, severity, forMs, time, inhibitedBy }) => [
    `\`${name}\``,
    severity,
    forMs === 0 ? 'at once' : `${forMs / 1000} s`,
    time === 'chain' ? 'block time' : 'local clock',
    inhibitedBy.map(({ rule, equal }) => `\`${rule}\` (${equal})`).join(', '),
  ]);
  const deviations = [...alerts(), ...prometheusOnlyAlerts()].flatMap(({ name, deviation }) =>
    deviation === undefined ? [] : [`- \`${name}\`: ${deviation}`],
  );
  return page('Alerts', note, [
    table(['Alert', 'Severity', 'Condition must hold', 'Counted in', 'Not notified while'], rows),
    inhibition,
    '## Alerts of Prometheus only',
    prometheusOnly,
    prometheusTable(),
    '## Deviations from the published rules',
    [...deviations, ...withoutOwn].join('\n'),
    '## One cause, one message',
    grouping,
    '## What prevents the renewal of a lease',
    renewals,
    table(['Reason', 'Meaning', 'What to do'], blockerRows()),
    '## Silences and maintenance',
    quiet,
    '## How notices reach people',
    delivery,
    table(['Reason', 'Meaning', 'What to do', 'Longest pause before the next attempt'], failureRows()),
    '## Each alert',
    eachAlert,
    ...alertSections(),
  ]);
}

const inhibition = `An alert is not notified while an alert in the last column fires and matches it. The brackets state the match:
\`subject\` and \`endpoint\`: both have the same subject; \`cause\`: the alert names the other as its cause; \`chain\`: always,
because the other alert affects everything that is watched.`;

const withoutOwn = [
  '- `HubRestGatewayOff`, `HubHeightStalledLong`: no separate alerts, because `HubEndpointDown` and `HubHeightStalled` report these conditions.',
  '- `HubwatchUplinkDown`, `HubwatchScheduleMissed`: no alerts, because the daemon has no such metrics.',
];

const prometheusOnly = `The rule file for Prometheus ([prometheus.md](prometheus.md)) contains additional alerts. They cover the daemon itself,
missing series, and values that the daemon exports as metrics without evaluating them.`;

const eachAlert = `Each section explains an alert, states the remedy, and shows its Prometheus condition under the default configuration. The
annotation \`runbook_url\` links to it. While values cannot be read, the daemon leaves an alert unchanged. In Prometheus the alert
ends together with its series, and \`HubNodeNotRead\`, \`HubHeadUnknown\` or \`HubwatchPollFailing\` reports the missing values.`;

const grouping = `Up to \`alerts.group_above\` (5) notices of one rule are sent separately and at once. Further notices are sent as one
group notice that names all of them, those with leases first. It waits \`alerts.group_wait\` (10 s) for others, and twice as long
each time while more arrive, up to a minute. Grouping ends after ten minutes without a notice of the rule. The recoveries of a group
are sent as one notice in its thread: when all have recovered, when at most \`alerts.group_above\` still fire, or after an hour. A
rule may also be inhibited while another one fires: heartbeat alerts are inhibited while the chain is halted.

A subject that fires more than \`alerts.flap_above\` (3) times within \`alerts.flap_window\` (1 hour) is reported once as flapping. The
next notice about it is sent when its state has not changed for \`alerts.flap_settle\` (15 minutes; twice as long each time it flaps
again soon, up to 2 hours).

Every alert with a notice is closed by another notice. It is \`[recovered]\` when the condition is over. It is \`[ended]\` when its
subject ended or is no longer watched or followed, or when its rule is switched off. News has no end and is reported once: a changed
price, address, parameter or version, an open proposal. If a late heartbeat leads to an inactive node, the notice about the inactive
node closes it. Holds, waits and flapping use monotonic time, so a change of the system clock does not affect them. A hold pauses
while its alert is inhibited, and continues after a restart.`;

const renewals = `The chain tries once to renew a lease, at the end of its term, and sends no event if it fails. \`HubLeaseRenewalBlocked\` reports it a
day ahead. The leases of a provider are evaluated in the order in which their terms end, each with the balance that the earlier ones
leave. Short leases that are renewed several times until then count each time. Certain income counts: from leases on the provider's own
node and from renewals of subscriptions to its plans. If uncertain income decides, the notice names the condition. Transfers,
withdrawals and new leases are not predicted. There is no verdict if a deciding fact could not be read. The table lists the reasons
in the label of \`hub_lease_renewal_blocker\`:`;

function blockerRows(): readonly (readonly string[])[] {
  return leaseRenewalBlockers().map(({ reason, means, advice }) => [`\`${reason}\``, means, advice]);
}

const quiet = `\`hubwatch silence add --config FILE --for 2h --rule HubNodeInactive --subject frankfurt-1 --comment "moving it"\` suppresses notices
for a while, without a restart of the daemon; \`silence list\` shows the silences, \`silence end ID\` ends one. \`maintenance\` in the
configuration does the same at times of the week in a time zone. Suppressed alerts are still evaluated, shown and counted. When the
silence ends, alerts that still fire are notified, and so are recoveries of alerts with an earlier notice. \`hubwatch test-notify\`
sends a test notice to every recipient and prints what to do if one is refused.`;

const delivery = `A notice is stored in the same commit as the change that it reports, once for each recipient. It is sent until the
channel accepts it: at least once, under the same id, in order for each rule, subject and recipient. A waiting notice is not sent if
a later one replaces it, so the last notice a person received is the present state; the later one states how many it replaces. After
an outage the oldest notices are sent first. A refused recipient does not delay the others, and a recipient that has a notice does
not get it again. Pauses between attempts double from one second up to the limit below. A notice that still fails after
\`alerts.give_up_after\` (24 hours) is given up, unless it is the last one about its alert. The log, the metric
\`hubwatch_notifications_dead_total\` and the status page report this. While a channel or one of its recipients accepts nothing,
\`hubwatch_notification_channel_failing\` is 1, and the status page shows since when and why. The table lists the reasons in the
label of \`hubwatch_notification_failures_total\`:`;

function failureRows(): readonly (readonly string[])[] {
  return notificationFailures().map(({ reason, means, advice, longestPauseMs }) => [
    `\`${reason}\``,
    means,
    advice,
    longestPauseMs === undefined
      ? 'a short form at once, then up to 3600 s until a later notice replaces it'
      : `${longestPauseMs / 1000} s`,
  ]);
}

function commandsPage(): string {
  const { commands, exitCodes: codes } = commandsAndExitCodes();
  const section = (program: string, { name, help }: { readonly name: string; readonly help: string }): string =>
    `## ${program} ${name}\n\n\`\`\`text\n${help.trim()}\n\`\`\``;
  return page('Commands', `${note} \`COMMAND --help\` prints the same text.`, [
    ...commands.map((command) => section('hubwatch', command)),
    `## Exit codes of hubwatch\n\n${codes}\n\nA command with other exit codes lists them in its own help.`,
    ...codegenHelp().map((command) => section('hubwatch-codegen', command)),
  ]);
}

function errorsPage(): string {
  const rows = Object.entries(errorCodes).map(([code, { means, advice }]) => [
    `\`${code}\``,
    means,
    advice,
    (retryableErrorCodes as readonly string[]).includes(code) ? 'yes' : '',
  ]);
  return page('Error codes', `${note} \`HubError.code\` is one of these codes, for every transport.`, [
    table(['Code', 'Meaning', 'What to do', 'The same read may succeed later'], rows),
  ]);
}

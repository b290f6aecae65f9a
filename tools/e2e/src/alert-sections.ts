import { alerts, type ExportedAlert, prometheusAlerts, prometheusOnlyAlerts } from '@hubwatch/daemon/declarations';
import { table } from './markdown.js';

/** Table of alerts that only the exported rules have. */
export function prometheusTable(): string {
  return table(
    ['Alert', 'Severity', 'Condition must hold', 'Not notified while'],
    prometheusOnlyAlerts().map(({ name, severity, forMs, inhibitedBy = [] }) => [
      `\`${name}\``,
      severity,
      forMs === 0 ? 'at once' : `${forMs / 1000} s`,
      inhibitedBy.map(({ rule }) => `\`${rule}\``).join(', '),
    ]),
  );
}

/** A section for each alert, which is the target of its `runbook_url`. An alert without PromQL has the reason. */
export function alertSections(): readonly string[] {
  const exported = new Map(prometheusAlerts().map((alert) => [alert.name, alert]));
  const names = [...alerts().map(({ name }) => name), ...prometheusOnlyAlerts().map(({ name }) => name)];
  return names.map((name) => {
    const alert = exported.get(name);
    return `### ${name}\n\n${alert === undefined ? `Only the daemon raises it. ${reasonOf(name)}` : sectionOf(alert)}`;
  });
}

function reasonOf(name: string): string {
  const declared = alerts().find((alert) => alert.name === name)?.prometheus;
  return declared !== undefined && 'notInMetrics' in declared ? declared.notInMetrics : '';
}

function sectionOf({ expr, description, difference }: ExportedAlert): string {
  return [
    description,
    `\`\`\`promql\n${expr}\n\`\`\``,
    ...(difference === undefined ? [] : [`Difference to the daemon: ${difference}`]),
  ].join('\n\n');
}

import { alerts, chainMetrics, type MetricDeclaration, ownMetrics } from '@hubwatch/daemon/declarations';
import { errorCodes, retryableErrorCodes } from '@hubwatch/types/gen/errors';

/** Pages of docs/ that are written from declarations: path → text. `npm run docs` writes them, a test compares them. */
export function generatedDocs(): ReadonlyMap<string, string> {
  return new Map([
    ['docs/metrics.md', metricsPage()],
    ['docs/alerts.md', alertsPage()],
    ['docs/errors.md', errorsPage()],
  ]);
}

const note = 'Written by `npm run docs` from declarations in the code.';

function metricsPage(): string {
  return page(
    'Metrics',
    `${note} \`hub_…\` observes the chain, \`hubwatch_…\` the daemon itself. A poll that fails drops its series: an old number is never repeated.`,
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
  const rows = alerts().map(({ name, severity, forMs, time }) => [
    `\`${name}\``,
    severity,
    forMs === 0 ? 'at once' : `${forMs / 1000} s`,
    time === 'chain' ? 'block time' : 'local clock',
  ]);
  return page('Alerts', note, [table(['Alert', 'Severity', 'Condition must hold', 'Counted in'], rows)]);
}

function errorsPage(): string {
  const rows = Object.entries(errorCodes).map(([code, { means, advice }]) => [
    `\`${code}\``,
    means,
    advice,
    (retryableErrorCodes as readonly string[]).includes(code) ? 'yes' : '',
  ]);
  return page('Error codes', `${note} One closed set for every transport: \`HubError.code\`.`, [
    table(['Code', 'Means', 'What to do', 'The same read may succeed later'], rows),
  ]);
}

function page(title: string, intro: string, parts: readonly string[]): string {
  return `# ${title}\n\n${intro}\n\n${parts.join('\n\n')}\n`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

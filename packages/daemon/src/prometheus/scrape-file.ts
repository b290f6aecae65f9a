import type { HostPort } from '../config/scalars.js';
import type { Config } from '../config/schema.js';
import { exportedFiles } from './file-names.js';
import { yamlFile } from './yaml-file.js';

/** Example of a Prometheus configuration that scrapes this daemon. */
export const scrapeFile = ({ web }: Config): string =>
  yamlFile(note, {
    global: { scrape_interval: '15s', evaluation_interval: '15s' },
    rule_files: [exportedFiles.rules],
    alerting: { alertmanagers: [{ static_configs: [{ targets: ['127.0.0.1:9093'] }] }] },
    scrape_configs: [{ job_name: 'hubwatch', static_configs: [{ targets: [targetOf(web.listen)] }] }],
  });

const note = [
  'Example of a Prometheus configuration, written by "hubwatch export-rules".',
  'Any job name does. A second daemon is a second target: the rules tell daemons apart by the labels of the scrape.',
  'Leave honor_labels off: its metrics have a label "job" of their own, which becomes "exported_job".',
];

const everyAddress: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/** Address at which a Prometheus on the same machine reaches the daemon. */
const targetOf = ({ host, port }: HostPort): string => {
  const name = everyAddress.has(host) ? '127.0.0.1' : host;
  return `${name.includes(':') ? `[${name}]` : name}:${port}`;
};

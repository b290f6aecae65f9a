import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.js';

export interface PrometheusServer {
  readonly address: string;
  /** The `data` of an API response; `undefined` until Prometheus responds. */
  get(path: string): Promise<unknown>;
  close(): Promise<void>;
}

/** A Prometheus configuration that scrapes targets every second. */
export function scrapeOf(job: string, targets: readonly string[], ruleFiles: readonly string[] = []): object {
  return {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: ruleFiles,
    scrape_configs: [{ job_name: job, static_configs: [{ targets }] }],
  };
}

/** Starts a real Prometheus on a free port, with a separate data folder. */
export async function startPrometheus(program: string, config: object): Promise<PrometheusServer> {
  const folder = await mkdtemp(join(tmpdir(), 'hubwatch-prometheus-'));
  const port = await freePort();
  // JSON is valid YAML.
  await writeFile(join(folder, 'prometheus.yml'), JSON.stringify(config));
  const child = spawn(
    program,
    [
      `--config.file=${folder}/prometheus.yml`,
      `--storage.tsdb.path=${folder}/data`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: 'ignore' },
  );
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  const address = `http://127.0.0.1:${port}`;
  return {
    address,
    async get(path) {
      const response = await fetch(`${address}${path}`).catch(() => undefined);
      if (response?.ok !== true) return undefined;
      return ((await response.json()) as { readonly data: unknown }).data;
    },
    async close() {
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram } from './find-program.js';
import { freePort } from './free-port.js';

/** What Prometheus scrapes once a second. */
export interface ScrapeJob {
  readonly job: string;
  /** `host:port` of each target. */
  readonly targets: readonly string[];
}

/** One series of an answer, with its value at the time of the query. */
export interface PrometheusSample {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A real Prometheus, with an empty store of its own. */
export interface Prometheus {
  readonly address: string;
  /** Evaluates an expression now. @throws Error with the message of Prometheus, when it refuses the expression */
  query(expr: string): Promise<readonly PrometheusSample[]>;
  /** Number of series of an expression over the last seconds. @throws Error with the message of Prometheus */
  countOverTime(expr: string, seconds: number): Promise<number>;
  close(): Promise<void>;
}

/** Starts Prometheus on a free port of loopback. @throws Error when this machine has none */
export async function startPrometheus(jobs: readonly ScrapeJob[]): Promise<Prometheus> {
  const program = findProgram('prometheus');
  if (program === undefined) throw new Error('needs prometheus: apt-get install prometheus');
  const folder = await mkdtemp(join(tmpdir(), 'hubwatch-prometheus-'));
  const port = await freePort();
  const config = {
    scrape_configs: jobs.map(({ job, targets }) => ({
      ...{ job_name: job, scrape_interval: '1s', scrape_timeout: '1s', static_configs: [{ targets }] },
    })),
  };
  // JSON is YAML.
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
  const ended = once(child, 'exit');
  const address = `http://127.0.0.1:${port}`;
  return {
    address,
    query: async (expr) => samplesOf(await ask(address, 'query', { query: expr })),
    async countOverTime(expr, seconds) {
      const end = Date.now() / 1_000;
      const range = { start: String(end - seconds), end: String(end), step: '1' };
      return samplesOf(await ask(address, 'query_range', { query: expr, ...range })).length;
    },
    async close() {
      if (child.exitCode === null && child.kill('SIGTERM')) await ended;
      await rm(folder, { recursive: true });
    },
  };
}

interface Answer {
  readonly status: string;
  readonly error?: string;
  readonly data?: {
    readonly resultType: string;
    readonly result: readonly unknown[];
  };
}

async function ask(address: string, path: string, form: Record<string, string>): Promise<Answer> {
  const response = await fetch(`${address}/api/v1/${path}`, { method: 'POST', body: new URLSearchParams(form) });
  const answer = (await response.json()) as Answer;
  if (answer.status !== 'success') throw new Error(`${answer.error ?? response.statusText}: ${form['query'] ?? ''}`);
  return answer;
}

function samplesOf({ data }: Answer): readonly PrometheusSample[] {
  // A scalar is one pair of time and value, without labels.
  if (data?.resultType === 'scalar') return [{ metric: {}, value: Number(data.result[1]) }];
  return ((data?.result ?? []) as { metric: Record<string, string>; value?: [number, string] }[]).map(
    ({ metric, value }) => ({ metric, value: Number(value?.[1]) }),
  );
}

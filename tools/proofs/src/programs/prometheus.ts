import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram } from './find-program.js';
import { freePort } from './free-port.js';

/** A scrape job with an interval of one second. */
export interface ScrapeJob {
  readonly job: string;
  /** Addresses of the targets as `host:port`. */
  readonly targets: readonly string[];
}

/** One series in a query result, with its value at the time of the query. */
export interface PrometheusSample {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A real Prometheus with an empty store. */
export interface Prometheus {
  readonly address: string;
  /**
   * Evaluates an expression at a time, by default now. @throws Error with the message from Prometheus if it rejects the query
   */
  query(expr: string, atMs?: number): Promise<readonly PrometheusSample[]>;
  /** Number of series of an expression over the ten seconds before a time. @throws Error with the message from Prometheus */
  countOverTime(expr: string, atMs: number): Promise<number>;
  /** Values of a label among the series that match a selector; among all series if the selector is empty. */
  labelValues(label: string, selector: string): Promise<readonly string[]>;
  /** Data of another API call, such as `/api/v1/alerts`. @throws Error with the message from Prometheus */
  get(path: string): Promise<unknown>;
  close(): Promise<void>;
}

/**
 * Starts Prometheus on a free loopback port, with rule files that it evaluates every second. @throws Error if it is not installed
 */
export async function startPrometheus(
  jobs: readonly ScrapeJob[],
  ruleFiles: readonly string[] = [],
): Promise<Prometheus> {
  const program = findProgram('prometheus');
  if (program === undefined) throw new Error('needs prometheus: apt-get install prometheus');
  const folder = await mkdtemp(join(tmpdir(), 'hubwatch-prometheus-'));
  const port = await freePort();
  const config = {
    global: { evaluation_interval: '1s' },
    rule_files: ruleFiles,
    scrape_configs: jobs.map(({ job, targets }) => ({
      ...{ job_name: job, scrape_interval: '1s', scrape_timeout: '1s', static_configs: [{ targets }] },
    })),
  };
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
  const ended = once(child, 'exit');
  const address = `http://127.0.0.1:${port}`;
  return {
    address,
    query: async (expr, atMs = Date.now()) =>
      samplesOf(await post(`${address}/api/v1/query`, { query: expr, time: secondsOf(atMs) })),
    async countOverTime(expr, atMs) {
      const range = { start: secondsOf(atMs - 10_000), end: secondsOf(atMs), step: '1' };
      return samplesOf(await post(`${address}/api/v1/query_range`, { query: expr, ...range })).length;
    },
    async labelValues(label, selector) {
      const match = selector === '' ? '' : `?${new URLSearchParams({ 'match[]': selector }).toString()}`;
      return (await answerOf(await fetch(`${address}/api/v1/label/${label}/values${match}`))) as string[];
    },
    get: async (path) => answerOf(await fetch(`${address}${path}`)),
    async close() {
      if (child.exitCode === null && child.kill('SIGTERM')) await ended;
      await rm(folder, { recursive: true });
    },
  };
}

const secondsOf = (timeMs: number): string => String(timeMs / 1_000);

const post = async (url: string, form: Record<string, string>): Promise<unknown> =>
  answerOf(await fetch(url, { method: 'POST', body: new URLSearchParams(form) }));

async function answerOf(response: Response): Promise<unknown> {
  const { status, error, data } = (await response.json()) as { status: string; error?: string; data?: unknown };
  if (status !== 'success') throw new Error(error ?? response.statusText);
  return data;
}

interface QueryData {
  readonly resultType: string;
  readonly result: readonly unknown[];
}

function samplesOf(data: unknown): readonly PrometheusSample[] {
  const { resultType, result } = data as QueryData;
  // A scalar result is a single pair of time and value, without labels.
  if (resultType === 'scalar') return [{ metric: {}, value: Number(result[1]) }];
  return (result as { metric: Record<string, string>; value?: [number, string] }[]).map(({ metric, value }) => ({
    metric,
    value: value === undefined ? Number.NaN : numberOf(value[1]),
  }));
}

const numberOf = (text: string): number =>
  text === '+Inf' ? Number.POSITIVE_INFINITY : text === '-Inf' ? Number.NEGATIVE_INFINITY : Number(text);

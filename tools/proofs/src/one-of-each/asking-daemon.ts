import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Devnode } from '@hubwatch/devnode';
import { startFaultProxy } from '@hubwatch/devnode/faults';
import { isAsked } from './failing-endpoint.js';
import type { AskedOver } from './failure-kinds.js';

export interface Watched {
  readonly over: AskedOver;
  readonly failing: string;
  /** Whether all other requests are answered. */
  readonly answersOthers: boolean;
}

/** Error of the daemon for each failing endpoint, and whether it continued with the working one in the same poll. */
export interface DaemonSaid {
  readonly failures: readonly { readonly code: string; readonly retryable: boolean; readonly text: string }[];
  readonly wentOn: boolean;
}

/** Maximum wait for a daemon, in milliseconds. Generous, because the machine may be busy. */
const patienceMs = 30_000;

/** Number of checks (100 ms each) between two blocks. */
const blockLooks = 10;

/** Number of final failures between which the working endpoint must not be queried. */
const finalLooks = 3;

/** Value of a counter for polls of watched nodes. */
const readings = (metrics: string, counter: string): number =>
  [...metrics.matchAll(new RegExp(`^${counter}\\{[^}]*job="nodes"[^}]*\\} (\\d+)`, 'gm'))].reduce(
    (sum, [, count]) => sum + Number(count),
    0,
  );
const goodIsUp = /^hub_endpoint_up\{[^}]*endpoint="good"[^}]*\} 1/m;

interface FailedLine {
  readonly endpoint: string;
  readonly method: string;
  readonly code?: string;
  readonly retryable?: boolean;
  readonly failure: string;
  readonly msg: string;
}

/**
 * Runs the packed daemon with several failing endpoints and a working one, until all of them were queried for the
 * watched node.
 *
 * @param isFinal whether the failure is final, so that the working endpoint must not be queried
 */
export async function askDaemon(
  { folder: installed, bin }: { readonly folder: string; readonly bin: (command: string) => string },
  watched: readonly Watched[],
  { node, address, timeoutMs, isFinal }: { node: Devnode; address: string; timeoutMs: number; isFinal: boolean },
): Promise<DaemonSaid> {
  const folder = mkdtempSync(join(installed, 'daemon-'));
  let askedGood = 0;
  const good = await startFaultProxy({
    target: node.rest,
    mode: 'http',
    plan: {
      answer: (request) => {
        if (isAsked(request)) askedGood += 1;
        return undefined;
      },
    },
  });
  const file = join(folder, 'hubwatch.yml');
  const ms = `${timeoutMs}ms`;
  writeFileSync(
    file,
    // JSON is YAML.
    JSON.stringify({
      network: { chain_id: node.chainId },
      endpoints: [
        ...watched.map(({ over, failing }, no) => ({
          name: `failing-${no}`,
          role: 'own',
          [over === 'abci' ? 'rpc' : over]: failing,
          ...(over === 'abci' && { websocket: false }),
          naming: 'public',
        })),
        { name: 'good', role: 'archive', rest: good.url, naming: 'public' },
      ],
      watch: { nodes: [{ address }] },
      poll: { endpoints: '500ms', nodes: '500ms', timeout: ms },
      web: { listen: '127.0.0.1:0' },
      store: { path: join(folder, 'hubwatch.db') },
      log: { level: 'debug' },
    }),
  );
  const child = spawn(process.execPath, [bin('hubwatch'), 'run', '--config', file], {
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: folder,
    env: { PATH: process.env['PATH'] },
  });
  const exited = once(child, 'exit');
  const failures: FailedLine[] = [];
  let printed = '';
  let page: string | undefined;
  createInterface({ input: child.stdout }).on('line', (line) => {
    page ??= /metrics (http:\/\/\S+)/.exec(line)?.[1];
  });
  const of = (no: number): FailedLine[] =>
    failures.filter(
      ({ endpoint, method }) =>
        endpoint === `failing-${no}` && (method === 'QueryNode' || watched[no]?.answersOthers === false),
    );
  createInterface({ input: child.stderr }).on('line', (line) => {
    printed = `${printed}${line}\n`.slice(-2_000);
    if (!line.startsWith('{')) return;
    const read = JSON.parse(line) as FailedLine;
    if (read.msg !== 'request failed') return;
    failures.push(read);
    // The node may have been read from the working endpoint before the failing one was known.
    if (isFinal && of(0).length === 1) askedGood = 0;
  });
  try {
    const startedMs = performance.now();
    const isOver = (): boolean =>
      isFinal ? of(0).length >= finalLooks : watched.every((_, no) => of(no).length > 0) && askedGood > 0;
    // Polls that started before the working endpoint was known may fail.
    let begunBefore = 0;
    let failed = 0;
    let isGoodKnown = false;
    for (let look = 1; !isOver() && child.exitCode === null && performance.now() - startedMs < patienceMs; look++) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      const metrics = page === undefined ? '' : await (await fetch(page)).text();
      failed = readings(metrics, 'hubwatch_poll_failures_total');
      if (!isGoodKnown) begunBefore = readings(metrics, 'hubwatch_polls_total');
      isGoodKnown ||= goodIsUp.test(metrics);
      // A new block makes the daemon read the node again.
      if (look % blockLooks === 0) await node.advanceTo(node.position().height + 1);
    }
    const hasFailed = failed > begunBefore;
    if (child.exitCode !== null) throw new Error(`hubwatch ended with ${child.exitCode}: ${printed}`);
    return {
      failures: watched.map((_, no) => {
        const { code = 'none', retryable = false, failure = 'it was not asked' } = of(no)[0] ?? {};
        return { code, retryable, text: failure };
      }),
      wentOn: askedGood > 0 && !hasFailed,
    };
  } finally {
    child.kill('SIGKILL');
    await exited;
    await good.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

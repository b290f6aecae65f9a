import { HubError } from '@hubwatch/client';
import { type App, createLogger, startApp } from '@hubwatch/daemon';
import { openStore, parseConfig } from '@hubwatch/daemon/parts';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import type { RandomSource } from './random-source.js';
import { VirtualClock } from './virtual-clock.js';

const startMs = 1_800_000_000_000;
const stepMs = 5_000;
/** Event loop turns after which the work started by a step is complete, unless it waits for a socket. */
const turnsOfStep = 20;

/** A notification as received. */
interface Received {
  readonly kind: string;
  readonly rule: string;
}

/** A clock whose time of day can jump, while its monotonic time does not. */
class JumpingClock extends VirtualClock {
  jumpedMs = 0;

  override nowMs(): number {
    return super.nowMs() + this.jumpedMs;
  }
}

/** A daemon with a store in a folder, one endpoint that never answers and one webhook. The proof controls its clock. */
export class FaultyMachine {
  readonly folder: string;
  readonly random: RandomSource;
  readonly clock = new JumpingClock(startMs);
  readonly received: Received[] = [];
  longestWaitMs = 0;
  private readonly receiver = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const { kind, rule } = JSON.parse(body) as Received;
      this.received.push({ kind, rule });
      response.end();
    });
  });
  private app: App | undefined;
  private readonly closers: (() => void | Promise<void>)[] = [];

  constructor(folder: string, random: RandomSource) {
    this.folder = folder;
    this.random = random;
  }

  /** Registers a cleanup that runs at the end of the trial, in reverse order. */
  atEnd(close: () => void | Promise<void>): void {
    this.closers.unshift(close);
  }

  /** @throws Error if the daemon refuses to start */
  async start(path = this.store, chainId = 'hub-test'): Promise<void> {
    this.app = await this.startOn(path, chainId);
  }

  /** Starts another daemon, and closes it again if it starts. @throws Error with the reason why it refused */
  async startAnother(path: string): Promise<void> {
    await (await this.startOn(path, 'hub-test')).close();
  }

  async stop(): Promise<void> {
    await this.measure();
    await this.app?.close();
    this.app = undefined;
  }

  get store(): string {
    return join(this.folder, 'hubwatch.db');
  }

  /** Advances time until a condition is true, up to a limit. @throws Error if it never becomes true */
  async until(what: string, holds: () => boolean | Promise<boolean>, limitMs = 60_000): Promise<void> {
    const endMs = this.clock.monotonicMs() + limitMs;
    for (;;) {
      if (await holds()) return;
      if (this.clock.monotonicMs() >= endMs) {
        // Data sent within the minute may still be in transit in a socket.
        for (let look = 0; look < 200; look += 1) {
          await this.status('/-/healthy');
          if (await holds()) return;
        }
        throw new Error(`not within ${limitMs / 1_000} s: ${what}`);
      }
      await this.pass(stepMs);
    }
  }

  /** Advances time. */
  async pass(ms: number): Promise<void> {
    const endMs = this.clock.monotonicMs() + ms;
    while (this.clock.monotonicMs() < endMs) {
      this.clock.set(startMs + Math.min(this.clock.monotonicMs() + stepMs, endMs));
      for (let count = 0; count < turnsOfStep; count += 1) await turn();
    }
  }

  /** Starts the webhook receiver and returns its port. */
  async listen(): Promise<number> {
    if (!this.receiver.listening) {
      this.receiver.listen(0, '127.0.0.1');
      await once(this.receiver, 'listening');
    }
    return (this.receiver.address() as AddressInfo).port;
  }

  has(kind: string, rule: string): boolean {
    return this.received.some((one) => one.kind === kind && one.rule === rule);
  }

  async status(path: string): Promise<number> {
    const response = await fetch(`${this.app?.address() ?? ''}${path}`);
    await response.arrayBuffer();
    return response.status;
  }

  /** Writes the data that must not be lost, before the daemon starts. */
  prepare(path = this.store): void {
    const store = openStore(path);
    store.run(
      "INSERT INTO silences VALUES ('kept', 'HubNodeInactive', NULL, 1, ?, 'by the proof')",
      startMs + 30 * 86_400_000,
    );
    store.transaction(() => {
      for (let row = 1; row <= 200; row += 1)
        store.run(
          "INSERT INTO ledger (height, position, node, kind, amount, denom) VALUES (?, 0, 'n', 'lease_paid', '5', 'd')",
          row,
        );
    });
    store.all('PRAGMA wal_checkpoint(TRUNCATE)');
    store.close();
  }

  /** Queries the current content of the store on disk. */
  read(sql: string): readonly Readonly<Record<string, unknown>>[] {
    const store = openStore(this.store);
    try {
      return store.all(sql);
    } finally {
      store.close();
    }
  }

  /** @throws Error if something is missing on disk */
  expectKept(tables: readonly ('silences' | 'ledger')[] = ['silences', 'ledger']): void {
    const expected = { silences: 1, ledger: 200 };
    for (const table of tables) {
      const rows = Number(this.read(`SELECT count(*) AS rows FROM ${table}`)[0]?.['rows']);
      if (rows !== expected[table]) throw new Error(`${table}: ${rows} of ${expected[table]} rows on disk`);
    }
    const waiting = this.read("SELECT notice FROM outbox WHERE state <> 'delivered'");
    if (waiting.length > 0) throw new Error(`not marked as delivered: ${JSON.stringify(waiting)}`);
  }

  /** @throws Error unless every notification was received once, in order */
  expectOnce(): void {
    const kinds = new Map<string, string>();
    for (const { kind, rule } of this.received) {
      if (kinds.get(rule) === kind) throw new Error(`${rule}: ${kind} twice in a row`);
      kinds.set(rule, kind);
    }
  }

  async close(): Promise<void> {
    if (this.app !== undefined) await this.stop();
    for (const close of this.closers) await close();
    this.receiver.closeAllConnections();
    if (this.receiver.listening) await new Promise((resolve) => this.receiver.close(resolve));
  }

  private async measure(): Promise<void> {
    const response = await fetch(`${this.app?.address() ?? ''}/metrics`);
    const [, seconds] = /^hubwatch_store_longest_wait_seconds (\S+)$/m.exec(await response.text()) ?? [];
    this.longestWaitMs = Math.max(this.longestWaitMs, Number(seconds ?? 0) * 1_000);
  }

  private async startOn(path: string, chainId: string): Promise<App> {
    const port = await this.listen();
    const config = parseConfig(`
network: {chain_id: ${chainId}}
endpoints: [{name: own, role: own, rpc: "http://127.0.0.1:1"}]
web: {listen: "127.0.0.1:0"}
store: {path: ${path}}
notifiers: {webhooks: [{name: hook, url: "http://127.0.0.1:${port}/"}]}
`);
    const failure = new HubError({ code: 'unavailable', message: 'connection refused', transport: 'rpc' });
    return startApp(config, {
      clock: this.clock,
      logger: createLogger('silent'),
      connectTo: () => ({ rpc: { call: () => Promise.reject(failure) }, close: () => Promise.resolve() }),
    });
  }
}

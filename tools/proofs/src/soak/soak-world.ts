import { withPrefix } from '@hubwatch/client/address';
import { chainFolder, type Devnode, startDevnode } from '@hubwatch/devnode';
import { BlockStream } from '@hubwatch/devnode/chain';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RandomSource } from '../random-source.js';
import { DaemonProcess } from './daemon-process.js';
import { type Condition, conditionsOfHour, type FaultyEndpoint, startFaultyEndpoint } from './faulty-endpoint.js';
import { type Hour, hourOf, windowsOf } from './hours.js';
import type { Levels } from './orders.js';
import { type Receivers, startReceivers } from './receivers.js';

export interface SoakReport {
  readonly hours: readonly Hour[];
  readonly faults: number;
  readonly restarts: number;
  readonly blocks: number;
  readonly notices: Receivers['counts'];
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const slotMs = 5 * minuteMs;
const measureMs = 10 * minuteMs;
/** Duration of a node restart. */
const restartMs = 2 * minuteMs;
/** Recorded height at which the soak starts. */
const firstHeight = 901_820;

/** Runs the daemon with a faulty node for hours of a simulated clock, and measures it from outside. */
export async function soakDaemon(seed: number, hours: number, onHour: (hour: Hour) => void): Promise<SoakReport> {
  const folder = mkdtempSync(join(tmpdir(), 'hubwatch-soak-'));
  const node = await startDevnode({
    mode: 'moving',
    chain: 'day',
    speed: 'manual',
    from: firstHeight,
    shiftTo: 'none',
  });
  const receivers = await startReceivers();
  const random = new RandomSource(seed);
  const endpoints = [await startFaultyEndpoint(node, random), await startFaultyEndpoint(node, random)];
  let daemon: DaemonProcess | undefined;
  try {
    const blocks = new BlockStream(chainFolder('day'));
    const startMs = Date.parse(node.position().time);
    daemon = await DaemonProcess.start(configOf(folder, node, endpoints, receivers), startMs);
    const soak = new Soak({ node, blocks, receivers, endpoints, random, daemon, startMs, hours, onHour });
    const report = await soak.run();
    await daemon.stop();
    return report;
  } finally {
    daemon?.kill();
    await Promise.all(endpoints.map((endpoint) => endpoint.close()));
    await receivers.close();
    await node.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface SoakParts {
  readonly node: Devnode;
  readonly blocks: BlockStream;
  readonly receivers: Receivers;
  readonly endpoints: readonly FaultyEndpoint[];
  readonly random: RandomSource;
  readonly daemon: DaemonProcess;
  readonly startMs: number;
  readonly hours: number;
  readonly onHour: (hour: Hour) => void;
}

/** Advances chain, clock and faults together. */
class Soak {
  readonly #parts: SoakParts;
  #restarts = 0;
  #blocks = 0;

  constructor(parts: SoakParts) {
    this.#parts = parts;
  }

  async run(): Promise<SoakReport> {
    const { endpoints, receivers, hours, onHour } = this.#parts;
    const rows: Hour[] = [];
    for (let hour = 0; hour < hours; hour++) {
      const row = await this.#hour(hour);
      rows.push(row);
      onHour(row);
    }
    return {
      hours: rows,
      faults: endpoints.reduce((sum, endpoint) => sum + endpoint.faults(), 0),
      restarts: this.#restarts,
      blocks: this.#blocks,
      notices: receivers.counts,
    };
  }

  async #hour(hour: number): Promise<Hour> {
    const { endpoints, random, daemon } = this.#parts;
    const linesBefore = daemon.logLines;
    const plans = endpoints.map(() => conditionsOfHour(random));
    const slots = hourMs / slotMs;
    const restartSlot = random.below(slots);
    const levels: Levels[] = [];
    for (let slot = 0; slot < slots; slot++) {
      const beginMs = hour * hourMs + slot * slotMs;
      this.#failReceivers(beginMs);
      if (slot === restartSlot) {
        this.#restarts++;
        await this.#condition(endpoints.map(() => 'down'));
        await this.#to(beginMs + restartMs);
      }
      await this.#condition(plans.map((plan) => plan[slot] ?? 'well'));
      await this.#to(beginMs + slotMs);
      if ((beginMs + slotMs) % measureMs === 0) levels.push(await daemon.measure());
      else await this.#readPages();
    }
    return hourOf(levels, daemon.logLines - linesBefore);
  }

  async #condition(conditions: readonly Condition[]): Promise<void> {
    await Promise.all(this.#parts.endpoints.map((endpoint, index) => endpoint.take(conditions[index] ?? 'well')));
  }

  /** Each receiver fails for half of a period that is as long as the compared windows. */
  #failReceivers(atMs: number): void {
    const { early } = windowsOf(this.#parts.hours);
    const periodMs = (early[1] - early[0]) * hourMs;
    const share = (atMs % periodMs) / periodMs;
    this.#parts.receivers.setFailing({ webhook: share < 0.5, mail: share >= 0.25 && share < 0.75 });
  }

  /** Advances the chain and the daemon. */
  async #to(untilMs: number): Promise<void> {
    const { node, daemon, startMs } = this.#parts;
    for (;;) {
      const next = this.#nextBlock();
      if (next === undefined || next.atMs - startMs > untilMs) break;
      await daemon.runTo(next.atMs - startMs);
      await node.advanceTo(next.height);
      this.#blocks++;
    }
    await daemon.runTo(untilMs);
  }

  #nextBlock(): { readonly height: number; readonly atMs: number } | undefined {
    const { node, blocks } = this.#parts;
    const height = node.position().height + 1;
    return height > node.range.last ? undefined : { height, atMs: Date.parse(blocks.block(height).time) };
  }

  async #readPages(): Promise<void> {
    for (const path of ['/', '/metrics', '/api/v1/status']) {
      const [response] = (await once(get(`${this.#parts.daemon.url}${path}`, { agent: false }), 'response')) as [
        IncomingMessage,
      ];
      response.resume();
      await once(response, 'end');
    }
  }
}

function configOf(
  folder: string,
  { accounts, chainId }: Devnode,
  [own, second]: readonly FaultyEndpoint[],
  { webhook, mailPort }: Receivers,
): object {
  const named = (start: string, most: number): string[] =>
    Object.entries(accounts)
      .flatMap(([name, address]) => (name.startsWith(start) ? [address] : []))
      .slice(0, most);
  const addresses = ({ grpc, rest, rpc }: FaultyEndpoint) => ({ grpc, rest, rpc });
  return {
    network: { chain_id: chainId },
    endpoints: [
      ...(own === undefined ? [] : [{ name: 'own', role: 'own', ...addresses(own) }]),
      ...(second === undefined ? [] : [{ name: 'second', role: 'reference', ...addresses(second) }]),
      // Nothing ever listens here.
      { name: 'gone', role: 'reference', rest: 'http://127.0.0.1:9', rpc: 'http://127.0.0.1:9' },
    ],
    watch: {
      nodes: named('node', 3).map((address) => ({ address: withPrefix(address, 'sentnode') })),
      providers: named('prov', 1).map((address) => ({ address: withPrefix(address, 'sentprov') })),
      accounts: named('acc', 2).map((address) => ({ address })),
    },
    poll: {
      endpoints: '2m',
      nodes: '5m',
      leases: '10m',
      sessions: '10m',
      renewals: '20m',
      network: '20m',
      accounts: '20m',
      subscriptions: '20m',
      ledger: '2m',
      other: '5m',
      timeout: '500ms',
    },
    sweeps: { every: '1h' },
    notifiers: {
      webhooks: [{ name: 'ops', url: `${webhook}/ops` }],
      email: {
        host: '127.0.0.1',
        port: mailPort,
        tls: 'none',
        from: 'hubwatch@example.org',
        to: ['a@example.org', 'b@example.org'],
      },
    },
    alive: { url: `${webhook}/alive`, every: '60s' },
    web: { listen: '127.0.0.1:0' },
    store: { path: join(folder, 'hubwatch.db') },
    log: { level: 'info' },
  };
}

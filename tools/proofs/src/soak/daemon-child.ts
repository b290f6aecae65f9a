// The daemon in a separate process, on a clock controlled by its parent, without any other code that could grow.
import { SimulatedClock, heldBy } from '@hubwatch/bench/steady';
import { type App, createLogger, parseConfig, startApp } from '@hubwatch/daemon';
import { connectTo, openStore } from '@hubwatch/daemon/parts';
import { readdirSync, readlinkSync, statSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Answer, Levels, Order } from './orders.js';

interface Running {
  readonly app: App;
  readonly clock: SimulatedClock;
  readonly storePath: string;
}

let running: Running | undefined;

process.on('message', (order: Order) => {
  void obey(order).then(
    (answer) => process.send?.(answer),
    (error: unknown) => process.send?.({ failure: String((error as Error).stack) } satisfies Answer),
  );
});
// This process must not survive a killed parent; a stopped daemon exits on its own.
process.on('disconnect', () => {
  if (running !== undefined) process.exit(1);
  setTimeout(() => process.exit(3), 20_000).unref();
});

async function obey(order: Order): Promise<Answer> {
  if (order.kind === 'start') {
    running = await start(order);
    return { url: running.app.address() };
  }
  if (running === undefined) throw new Error('not started');
  const { app, clock } = running;
  if (order.kind === 'run') await clock.runTo(order.untilMs);
  if (order.kind === 'measure') return { levels: await measure(running) };
  if (order.kind === 'stop') {
    // Its last attempts use timers.
    await Promise.all([app.close(), clock.runTo(clock.monotonicMs() + 10_000)]);
    running = undefined;
  }
  return {};
}

async function start({ config, startMs }: Extract<Order, { kind: 'start' }>): Promise<Running> {
  const clock = new SimulatedClock(startMs);
  const parsed = parseConfig(config);
  const app = await startApp(parsed, {
    clock,
    logger: createLogger(parsed.log.level),
    connectTo(endpoint, timeoutMs) {
      const connection = connectTo(endpoint, timeoutMs);
      const { openWebSocket } = connection;
      return {
        ...heldBy(clock, connection),
        openWebSocket: openWebSocket && ((signal) => clock.during(() => openWebSocket(signal))),
      };
    },
  });
  return { app, clock, storePath: parsed.store.path };
}

async function measure({ clock, storePath }: Running): Promise<Levels> {
  const collect = globalThis.gc;
  if (collect === undefined) throw new Error('expected --expose-gc');
  // Objects finalized by the first collection are freed by the second.
  for (let round = 0; round < 2; round++) {
    collect();
    await nextTurn();
  }
  const { heapUsed, external } = process.memoryUsage();
  const files = openFiles();
  return {
    heapBytes: heapUsed,
    bufferBytes: external,
    files: files.length,
    sockets: files.filter((file) => file.startsWith('socket:')).length,
    timers: clock.pending,
    walBytes: statSync(`${storePath}-wal`, { throwIfNoEntry: false })?.size ?? 0,
    rows: rowsOf(storePath),
  };
}

/** Target of each open file descriptor of this process. */
function openFiles(): readonly string[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)];
    } catch {
      // The descriptor that was used to list the folder.
      return [];
    }
  });
}

function rowsOf(storePath: string): Readonly<Record<string, number>> {
  const store = openStore(storePath);
  const count = (from: string): number => Number(store.all(`SELECT COUNT(*) AS n FROM ${from}`)[0]?.['n']);
  try {
    const tables = store.all("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'");
    return Object.fromEntries([
      ...tables.map(({ name }): [string, number] => [String(name), count(String(name))]),
      ['alerts, not ended', count("alerts WHERE state <> 'resolved'")],
      ['outbox, waiting', count("outbox WHERE state = 'waiting'")],
    ]);
  } finally {
    store.close();
  }
}

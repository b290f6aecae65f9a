import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RandomSource } from '../random-source.js';
import { type Judgement, judge } from './judge.js';
import { type Receivers, startReceivers } from './receivers.js';
import type { KeptRow, Order, Seen } from './seen.js';

/** Seconds of the program's clock in one second. */
const speed = 600;
/** So few that the short form of a notice about all of them lists each. */
const subjects = 10;
/** Longest wait for the last words after the faults have ended, milliseconds. */
const patienceMs = 120_000;

export interface HistoryOutcome extends Judgement {
  readonly kills: number;
  readonly notices: number;
  /** Rows of the outbox that were compared with what arrived. */
  readonly rows: number;
  readonly silenced: number;
  readonly faults: ReadonlyMap<string, number>;
}

/** Plays one history: states change, channels fail, the program is killed; then all is well, and the last words are compared. */
export async function playHistory(program: string, seed: number, kills: number): Promise<HistoryOutcome> {
  const random = new RandomSource(seed);
  const folder = mkdtempSync(join(tmpdir(), 'hubwatch-last-word-'));
  const receivers = await startReceivers(random);
  const world = createWorld(random);
  const killer = createKiller(program, folder, receivers, random);
  try {
    for (let kill = 0; kill < kills; kill++) {
      receivers.faultShare = random.pick([0, 0.1, 0.3, 0.6]);
      for (const gate of receivers.gates) {
        // One that is down stays down for several lives.
        if (random.chance(gate.mode === 'down' ? 0.3 : 0.25)) gate.mode = random.pick(['open', 'open', 'drip', 'down']);
        if (gate.mode === 'down') gate.cut();
      }
      await killer.life(world);
    }
    receivers.faultShare = 0;
    for (const gate of receivers.gates) {
      gate.mode = 'open';
      gate.cut();
    }
    const { recipients, accepted, faults } = receivers;
    const judged = (rows: readonly KeptRow[]): Judgement =>
      judge({ recipients, accepted, end: world.seen(), silenced: killer.silenced, rows });
    const isDone = (rows: readonly KeptRow[]): boolean =>
      judged(rows).problems.every((text) => !/^(?:wrong|lost)/.test(text));
    const rows = await killer.lastLife(world, isDone);
    return {
      ...judged(rows),
      kills,
      notices: accepted.length,
      rows: rows.length,
      silenced: killer.silenced.size,
      faults,
    };
  } finally {
    killer.close();
    await receivers.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface World {
  seen(): readonly Seen[];
  /** Some subjects change. */
  move(): void;
}

function createWorld(random: RandomSource): World {
  const states = Array.from({ length: subjects }, (_, index): Seen => {
    return { subject: `s${index}`, term: '', isFiring: false, version: 0 };
  });
  return {
    seen: () => states,
    move() {
      // Now and then one cause strikes many.
      const many = random.chance(0.05);
      for (const [index, state] of states.entries()) {
        if (!random.chance(many ? 0.8 : 0.06)) continue;
        const hasNewTerm = random.chance(0.3);
        states[index] = {
          ...state,
          version: state.version + 1,
          isFiring: hasNewTerm || !state.isFiring,
          term: hasNewTerm ? `t${state.version}` : state.term,
        };
      }
    },
  };
}

interface Killer {
  /** Subjects that were silenced, with their version at that moment. */
  readonly silenced: ReadonlyMap<string, number>;
  /** Starts the program, plays the world and kills it at a random moment. */
  life(world: World): Promise<void>;
  /** Starts the program for the last time; resolves to its outbox when it has reported all, or has had long enough. */
  lastLife(world: World, isDone: (rows: readonly KeptRow[]) => boolean): Promise<readonly KeptRow[]>;
  close(): void;
}

function createKiller(program: string, folder: string, receivers: Receivers, random: RandomSource): Killer {
  const silenced = new Map<string, number>();
  const config = join(folder, 'hubwatch.yml');
  const startMs = Date.now();
  writeFileSync(
    config,
    JSON.stringify({
      endpoints: [{ name: 'none', rpc: 'http://127.0.0.1:1' }],
      notifiers: receivers.notifiers,
      store: { path: join(folder, 'hubwatch.db') },
    }),
  );
  let child: ChildProcess | undefined;
  const start = (): ChildProcess =>
    fork(program, [config, String(startMs), String(speed)], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      env: { ...process.env, LAST_WORD_TOKEN: '1:t' },
      execArgv: [],
    });
  const kill = (): void => void child?.kill('SIGKILL');
  const order = (running: ChildProcess, what: Order): void => void running.send(what, () => undefined);
  return {
    silenced,
    async life(world) {
      const running = start();
      child = running;
      receivers.life += 1;
      const ended = once(running, 'exit').then(() => 'ended' as const);
      const next = (): Promise<'ended' | 'answered'> =>
        Promise.race([ended, once(running, 'message').then(() => 'answered' as const)]);
      if (random.chance(0.2)) {
        // At its start, or while it migrates.
        const timer = setTimeout(kill, 20 + random.below(400));
        await ended;
        clearTimeout(timer);
        return;
      }
      if ((await next()) === 'ended') return;
      if (random.chance(0.1)) {
        const { subject, version } = random.pick(world.seen());
        order(running, { silence: subject });
        if ((await next()) === 'ended') throw new Error('the program ended by itself');
        silenced.set(subject, Math.min(version, silenced.get(subject) ?? version));
      }
      let left = 1 + random.below(8);
      // While it sends.
      if (random.chance(0.6))
        receivers.onArrival = () => {
          left -= 1;
          if (left === 0) kill();
        };
      let isEnded = false;
      for (let round = 1 + random.below(12); round > 0 && !isEnded; round--) {
        world.move();
        order(running, { seen: world.seen() });
        isEnded = (await next()) === 'ended';
        if (!isEnded) await new Promise((resolve) => setTimeout(resolve, random.below(40)));
      }
      receivers.onArrival = () => undefined;
      kill();
      await ended;
    },
    async lastLife(world, isDone) {
      const running = start();
      child = running;
      receivers.life += 1;
      const ended = once(running, 'exit');
      await once(running, 'message');
      order(running, { seen: world.seen() });
      await once(running, 'message');
      const patience = performance.now() + patienceMs;
      let rows: readonly KeptRow[];
      do {
        await new Promise((resolve) => setTimeout(resolve, 50));
        order(running, { rows: true });
        [rows] = (await once(running, 'message')) as [readonly KeptRow[]];
      } while (!isDone(rows) && performance.now() < patience);
      kill();
      await ended;
      return rows;
    },
    close: kill,
  };
}

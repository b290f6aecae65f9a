import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, watch } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { openStore } from '@hubwatch/daemon/parts';
import { RandomSource } from '../random-source.js';
import { type Judgement, judge } from './judge.js';
import type { Killed, KilledKind } from './killed.js';
import { isOld, type OldStore, writeOldStore } from './old-store.js';
import { type Receivers, startReceivers } from './receivers.js';
import type { KeptRow } from './seen.js';
import { createWorld, type World } from './world.js';

/** Longest wait for the last notifications after the faults have ended, in milliseconds. */
const patienceMs = 120_000;

/** Time of a kill. */
type Moment = 'at its start' | 'while it migrated' | 'while it sent' | 'between';

export interface HistoryOutcome extends Judgement {
  /** Number of kills by time. */
  readonly kills: ReadonlyMap<Moment, number>;
  readonly notices: number;
  /** Number of outbox rows that were compared with the received notifications. */
  readonly rows: number;
  readonly silenced: number;
  readonly faults: ReadonlyMap<string, number>;
}

/**
 * Plays one history: states change, channels fail, the program is killed. Then everything recovers, and the last
 * notifications are compared.
 */
export async function playHistory(kind: KilledKind, seed: number, kills: number): Promise<HistoryOutcome> {
  const random = new RandomSource(seed);
  const folder = mkdtempSync(join(tmpdir(), 'hubwatch-last-word-'));
  const receivers = await startReceivers(random, kind.retryAfterS);
  const world = createWorld(kind, random);
  const { notifiers } = receivers;
  const killed = await kind.prepare({ folder, notifiers, random, seen: () => world.seen() });
  const history = new History({ kind, killed, world, receivers, random });
  try {
    for (let kill = 0; kill < kills; kill++) {
      disturb(receivers, random);
      await history.life();
    }
    receivers.faultShare = 0;
    for (const gate of receivers.gates) {
      gate.mode = 'open';
      gate.cut();
    }
    return await history.lastLife();
  } finally {
    history.close();
    await killed.close();
    await receivers.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function disturb(receivers: Receivers, random: RandomSource): void {
  receivers.faultShare = random.pick([0, 0.1, 0.3, 0.6]);
  for (const gate of receivers.gates) {
    // A gate that is down stays down for several lives.
    if (random.chance(gate.mode === 'down' ? 0.3 : 0.25)) gate.mode = random.pick(['open', 'open', 'drip', 'down']);
    if (gate.mode === 'down') gate.cut();
  }
}

interface HistoryParts {
  readonly kind: KilledKind;
  readonly killed: Killed;
  readonly world: World;
  readonly receivers: Receivers;
  readonly random: RandomSource;
}

class History {
  private readonly parts: HistoryParts;
  private readonly old: OldStore;
  private readonly kills = new Map<Moment, number>();
  /** Silenced subjects, with their version at that time. */
  private readonly silenced = new Map<string, number>();
  private child: ChildProcess | undefined;

  constructor(parts: HistoryParts) {
    const { killed, receivers, world, random } = parts;
    this.parts = parts;
    this.old = writeOldStore(killed, receivers.routes, world.seen(), random);
  }

  /** Starts the program, plays the world and kills the program at a random time. */
  async life(): Promise<void> {
    const { killed, kind, random } = this.parts;
    const isMigrating = isOld(killed.store);
    const child = await this.start();
    const ended = exitOf(child);
    let moment: Moment = 'between';
    if (isMigrating && random.chance(0.8)) {
      moment = 'while it migrated';
      await this.killAtWrite(child, ended);
      if (!isOld(killed.store)) moment = 'at its start';
    } else if (random.chance(0.2)) {
      moment = 'at its start';
      const timer = setTimeout(() => this.close(), 20 + random.below(kind.startMs));
      await ended;
      clearTimeout(timer);
    } else if (await this.play(child, ended)) moment = 'while it sent';
    if ((await ended) !== 'SIGKILL') throw new Error('the program ended by itself');
    this.kills.set(moment, (this.kills.get(moment) ?? 0) + 1);
  }

  /** Starts the program for the last time, and waits until it has reported everything or the time is up. */
  async lastLife(): Promise<HistoryOutcome> {
    const { killed, receivers, world } = this.parts;
    const child = await this.start();
    const ended = exitOf(child);
    const unlessEnded = (work: Promise<void>): Promise<void> =>
      Promise.race([
        work,
        ended.then(() => {
          throw new Error('the program ended by itself');
        }),
      ]);
    await unlessEnded(killed.ready(child));
    const untilMs = performance.now() + patienceMs;
    let rows: readonly KeptRow[];
    let judged: Judgement;
    do {
      await unlessEnded(killed.show(child, world.seen()));
      await new Promise((resolve) => setTimeout(resolve, 50));
      rows = this.rows();
      judged = this.judged(rows);
    } while (judged.problems.some((text) => /^(?:wrong|lost)/.test(text)) && performance.now() < untilMs);
    this.close();
    await ended;
    const { accepted, faults } = receivers;
    const { kills, silenced } = this;
    return { ...judged, kills, notices: accepted.length, rows: rows.length, silenced: silenced.size, faults };
  }

  close(): void {
    this.child?.kill('SIGKILL');
  }

  private async start(): Promise<ChildProcess> {
    const { killed, receivers } = this.parts;
    await Promise.all(receivers.gates.map((gate) => gate.settled()));
    receivers.life += 1;
    return (this.child = killed.start());
  }

  /** Kills the program after this number of writes to its store. */
  private async killAtWrite(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
    const { killed, random } = this.parts;
    let left = random.chance(0.5) ? 1 : 1 + random.below(20);
    const log = `${basename(killed.store)}-wal`;
    const watcher = watch(join(killed.store, '..'), (_, name) => {
      if (name !== log) return;
      left -= 1;
      if (left <= 0) this.close();
    });
    await Promise.race([ended, killed.ready(child)]);
    watcher.close();
    this.close();
    await ended;
  }

  /** Resolves with whether the program was killed while sending. */
  private async play(child: ChildProcess, ended: Promise<unknown>): Promise<boolean> {
    const { killed, kind, receivers, world, random } = this.parts;
    const isEnded = (): boolean => (child.exitCode ?? child.signalCode) !== null;
    const unlessEnded = (work: Promise<void>): Promise<unknown> => Promise.race([ended, work]);
    await unlessEnded(killed.ready(child));
    if (!isEnded() && random.chance(0.1)) {
      const { subject, version } = random.pick(world.seen().filter((one) => one.subject.startsWith('s')));
      await killed.silence(child, subject);
      this.silenced.set(subject, Math.min(version, this.silenced.get(subject) ?? version));
    }
    let left = random.chance(0.6) ? 1 + random.below(8) : Infinity;
    receivers.onArrival = () => {
      left -= 1;
      if (left === 0) this.close();
    };
    for (let round = 1 + random.below(kind.rounds); round > 0 && !isEnded(); round--) {
      world.move();
      await unlessEnded(killed.show(child, world.seen()));
    }
    receivers.onArrival = () => undefined;
    this.close();
    await ended;
    return left <= 0;
  }

  private judged(rows: readonly KeptRow[]): Judgement {
    const { killed, receivers, world } = this.parts;
    const accepted = [...this.old.accepted, ...receivers.accepted];
    const { silenced } = this;
    const { toldIn } = killed;
    return judge({ recipients: receivers.recipients, accepted, end: world.seen(), silenced, rows, toldIn });
  }

  /** Outbox rows for one recipient, with the subjects of each. */
  private rows(): readonly KeptRow[] {
    const store = openStore(this.parts.killed.store);
    try {
      return store
        .all('SELECT channel, recipient, state, notice FROM outbox ORDER BY seq')
        .map((row) => row as unknown as KeptRow)
        .filter(({ channel, recipient }) => recipient !== '' || channel.startsWith('webhook'))
        .map((row) => ({ ...row, notice: this.named(row.notice) }));
    } finally {
      store.close();
    }
  }

  private named(notice: string): string {
    const { id, kind, ...words } = JSON.parse(notice) as { readonly id: string; readonly kind: string };
    const members = (this.old.subjects.get(id) ?? []).map((subject) => ({ subject, isFiring: kind === 'firing' }));
    return JSON.stringify({ members, ...words, id, kind });
  }
}

async function exitOf(child: ChildProcess): Promise<NodeJS.Signals | number | null> {
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  return signal ?? code;
}

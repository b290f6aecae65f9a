import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fakedClock } from './faked-clock.js';
import type { FaultyMachine } from './faulty-machine.js';

/** A fault that a machine inflicts on a store. */
export interface MachineFaultRow {
  readonly name: string;
  /** Requirement of the row: mounting a separate file system, or Debian's library that fakes the clock. */
  readonly needs?: 'root' | 'faketime';
  /** @throws Error that describes the violated expectation */
  run(machine: FaultyMachine): Promise<void>;
}

const failing = 'HubwatchStoreFailing';
const rebuilt = 'HubwatchStoreRebuilt';
const ends = ['', '-wal', '-shm'] as const;

/** Starts a daemon with a filled store and advances up to four minutes, so that the fault comes before or after an alert. */
const begin = async (machine: FaultyMachine): Promise<void> => {
  machine.prepare();
  await machine.start();
  await machine.pass(5_000 * (1 + machine.random.below(48)));
  if ((await machine.status('/-/healthy')) !== 200) throw new Error('unhealthy before the fault');
};

const reported = async (machine: FaultyMachine): Promise<void> => {
  await machine.until('unhealthy', async () => (await machine.status('/-/healthy')) === 503);
  await machine.until('the fault is notified', () => machine.has('firing', failing));
  // An alert that becomes due in the meantime comes from memory.
  await machine.until('the alert about the endpoint', () => machine.has('firing', 'HubAllEndpointsDown'), 400_000);
};

const recovered = async (machine: FaultyMachine): Promise<void> => {
  await machine.until('healthy again', async () => (await machine.status('/-/healthy')) === 200);
  await machine.until('the end is notified', () => machine.has('recovered', failing));
  await machine.pass(10_000);
  await machine.stop();
  machine.expectKept();
  machine.expectOnce();
};

/** Mounts a separate file system. */
const mount = (machine: FaultyMachine, size: string): void => {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=0700`, 'tmpfs', machine.folder]);
  machine.atEnd(() => void execFileSync('umount', ['--lazy', machine.folder]));
};

const fill = (folder: string): (() => void) => {
  const file = join(folder, 'fill');
  for (let bytes = 65_536; bytes >= 512; bytes /= 2) {
    try {
      for (;;) writeFileSync(file, Buffer.alloc(bytes), { flag: 'a' });
    } catch {
      // There is no room for a chunk of this size.
    }
  }
  return () => rmSync(file);
};

/** Holds a write lock in another process. */
const holdLock = async (machine: FaultyMachine): Promise<() => Promise<void>> => {
  const libsql = createRequire(createRequire(import.meta.url).resolve('@hubwatch/daemon/package.json')).resolve(
    'libsql',
  );
  const source = `
    const db = new (require(process.argv[1]))(process.argv[2]);
    db.exec('BEGIN IMMEDIATE');
    process.stdout.write('held');
    setInterval(() => undefined, 1000);`;
  const child = spawn(process.execPath, ['-e', source, libsql, machine.store], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit');
  const release = async (): Promise<void> => {
    child.kill('SIGKILL');
    await exit;
  };
  machine.atEnd(release);
  await once(child.stdout, 'data');
  return release;
};

const noise = (machine: FaultyMachine, bytes: number): Uint8Array =>
  Uint8Array.from({ length: bytes }, () => machine.random.below(256));

const overwrite = (path: string, at: number, bytes: Uint8Array): void => {
  const handle = openSync(path, 'r+');
  writeSync(handle, bytes, 0, bytes.length, at);
  closeSync(handle);
};

type Damage = (machine: FaultyMachine, path: string, size: number) => void;

const damages: Readonly<Record<string, Damage>> = {
  'page 1 of zeros': (_machine, path) => overwrite(path, 0, new Uint8Array(4_096)),
  'page 1 of noise': (machine, path) => overwrite(path, 0, noise(machine, 4_096)),
  'cut to half': (_machine, path, size) => truncateSync(path, Math.floor(size / 2)),
  'cut anywhere': (machine, path, size) => truncateSync(path, 200 + machine.random.below(size - 4_296)),
  'pages of zeros': (_machine, path, size) => overwrite(path, 4_096, new Uint8Array(size - 4_096)),
  'noise from a page on': (machine, path, size) => {
    const at = 4_096 * (1 + machine.random.below(4));
    overwrite(path, at, noise(machine, size - at));
  },
  'noise everywhere': (machine, path, size) => writeFileSync(path, noise(machine, size)),
};

const damagedAtStart = ([name, damage]: readonly [string, Damage]): MachineFaultRow => ({
  name: `damaged at start: ${name}`,
  async run(machine) {
    machine.prepare();
    await machine.start();
    await machine.stop();
    damage(machine, machine.store, statSync(machine.store).size);
    await machine.start();
    await machine.until('the new store is notified', () => machine.has('firing', rebuilt));
    if ((await machine.status('/-/healthy')) !== 200) throw new Error('unhealthy after the store was written new');
    await machine.stop();
    machine.expectKept([]);
  },
});

const refused = async (what: string, start: Promise<void>, reason: RegExp): Promise<void> => {
  const failure = await start.then(
    () => undefined,
    (error: unknown) => String(error),
  );
  if (failure === undefined) throw new Error(`${what}: started`);
  if (!reason.test(failure)) throw new Error(`${what}: ${failure}`);
};

export const machineFaultRows: readonly MachineFaultRow[] = [
  {
    name: 'full',
    needs: 'root',
    async run(machine) {
      mount(machine, '2m');
      await begin(machine);
      const free = fill(machine.folder);
      await reported(machine);
      free();
      await recovered(machine);
    },
  },
  {
    name: 'full at start',
    needs: 'root',
    async run(machine) {
      mount(machine, '2m');
      machine.prepare();
      const free = fill(machine.folder);
      await machine.start();
      await reported(machine);
      free();
      await recovered(machine);
    },
  },
  {
    name: 'read-only at start',
    needs: 'root',
    async run(machine) {
      mount(machine, '2m');
      // Written to another file system: a file that is still open for writing prevents a read-only remount.
      const elsewhere = mkdtempSync(join(tmpdir(), 'hubwatch-proof-'));
      machine.atEnd(() => rmSync(elsewhere, { recursive: true }));
      machine.prepare(join(elsewhere, 'hubwatch.db'));
      copyFileSync(join(elsewhere, 'hubwatch.db'), machine.store);
      execFileSync('mount', ['-o', 'remount,ro', machine.folder]);
      await machine.start();
      await reported(machine);
      execFileSync('mount', ['-o', 'remount,rw', machine.folder]);
      await recovered(machine);
    },
  },
  {
    name: 'deleted',
    async run(machine) {
      await begin(machine);
      const some = machine.random.chance(0.5) ? ends : ends.slice(0, 1);
      for (const end of some) rmSync(`${machine.store}${end}`, { force: true });
      await machine.until('the fault is notified', () => machine.has('firing', failing));
      await recovered(machine);
    },
  },
  {
    name: 'replaced',
    async run(machine) {
      await begin(machine);
      writeFileSync(join(machine.folder, 'other'), noise(machine, 5_000));
      renameSync(join(machine.folder, 'other'), machine.store);
      await machine.until('the fault is notified', () => machine.has('firing', failing));
      await recovered(machine);
    },
  },
  {
    name: 'locked by another process',
    async run(machine) {
      await begin(machine);
      const release = await holdLock(machine);
      await reported(machine);
      await release();
      await recovered(machine);
    },
  },
  {
    name: 'damaged while it runs',
    async run(machine) {
      await begin(machine);
      overwrite(machine.store, 0, machine.random.chance(0.5) ? new Uint8Array(4_096) : noise(machine, 4_096));
      await machine.until('the fault is notified', () => machine.has('firing', failing));
      await recovered(machine);
    },
  },
  ...Object.entries(damages).map(damagedAtStart),
  {
    name: 'opened twice',
    async run(machine) {
      await begin(machine);
      const link = join(machine.folder, 'link.db');
      symlinkSync(machine.store, link);
      if (machine.random.chance(0.7)) rmSync(`${machine.store}.lock`, { force: true });
      await refused('a second daemon', machine.startAnother(link), /is in use by another hubwatch/);
      if ((await machine.status('/-/healthy')) !== 200) throw new Error('the first daemon is unhealthy');
      await machine.stop();
      machine.expectKept();
    },
  },
  {
    name: 'of another chain',
    async run(machine) {
      await begin(machine);
      await machine.stop();
      await refused(
        'on another chain',
        machine.start(machine.store, 'hub-other'),
        /belongs to chain hub-test.*set another/,
      );
      machine.expectKept();
    },
  },
  {
    name: 'no store of hubwatch',
    async run(machine) {
      const path = join(machine.folder, 'letters.db');
      const text = machine.random.chance(0.5) ? noise(machine, 1 + machine.random.below(50_000)) : Buffer.from('x');
      writeFileSync(path, text);
      await refused('on another file', machine.start(path), /is not a store of hubwatch.*move it away/);
      if (!readFileSync(path).equals(Buffer.from(text))) throw new Error('the file was changed');
      mkdirSync(join(machine.folder, 'folder'));
      await refused('on a folder', machine.start(join(machine.folder, 'folder')), /is a folder/);
      if (existsSync(`${path}.lock`)) throw new Error('a lock file was left');
    },
  },
  {
    name: 'a clock that jumps, and a store that is deleted then',
    async run(machine) {
      await begin(machine);
      machine.clock.jumpedMs = (machine.random.chance(0.5) ? 1 : -1) * (1 + machine.random.below(24)) * 3_600_000;
      await machine.pass(10_000);
      if ((await machine.status('/-/healthy')) !== 200) throw new Error('unhealthy after the clock jumped');
      rmSync(machine.store);
      await machine.until('the fault is notified', () => machine.has('firing', failing));
      await recovered(machine);
    },
  },
  {
    name: 'a clock that jumps under a process of its own',
    needs: 'faketime',
    run: fakedClock,
  },
];

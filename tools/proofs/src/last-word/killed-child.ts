import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toldBy } from './judge.js';
import type { Killed, KilledKind, Setting } from './killed.js';
import type { Order } from './seen.js';

/** Clock speed of the program: a recipient that is down for a minute is down for ten hours of program time. */
const speed = 600;

/** Alert book, outbox and senders in a separate process, on an accelerated clock. */
export const killedChild = (program: string): KilledKind => ({
  name: 'child',
  subjects: Array.from({ length: 10 }, (_, index) => `s${index}`),
  ...{ changeShare: 0.06, retryAfterS: 120, rounds: 12, startMs: 400 },
  prepare: (setting) => prepareChild(program, setting),
});

function prepareChild(program: string, { folder, notifiers, random }: Setting): Killed {
  const config = join(folder, 'hubwatch.yml');
  const store = join(folder, 'hubwatch.db');
  const startMs = Date.now();
  writeFileSync(
    config,
    JSON.stringify({ endpoints: [{ name: 'none', rpc: 'http://127.0.0.1:1' }], notifiers, store: { path: store } }),
  );
  const order = async (child: ChildProcess, what: Order): Promise<void> => {
    const answered = once(child, 'message');
    child.send(what, () => undefined);
    await answered;
  };
  return {
    store,
    alertOf: ({ subject, term, isFiring, version }) => {
      return { rule: 'R', severity: 'warning', term, title: `${subject}: ${isFiring ? 'firing' : 'ok'} v${version}` };
    },
    toldIn: toldBy(/\b(?<subject>s\d+): (?:(?<firing>firing)|ok) v(?<version>\d+)/g),
    start: () =>
      fork(program, [config, String(startMs), String(speed)], {
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
        env: { ...process.env, LAST_WORD_TOKEN: '1:t' },
        execArgv: [],
      }),
    ready: async (child) => void (await once(child, 'message')),
    async show(child, seen) {
      await order(child, { seen });
      await new Promise((resolve) => setTimeout(resolve, random.below(40)));
    },
    silence: (child, subject) => order(child, { silence: subject }),
    close: () => Promise.resolve(),
  };
}

import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { FaultyMachine } from './faulty-machine.js';
import { type RunningDaemon, runDaemon } from './running-daemon.js';

/** Path of Debian's library that fakes the clock for multithreaded programs; `undefined` if it is not installed. */
export const fakingLibrary = (): string | undefined => {
  const root = '/usr/lib';
  return readdirSync(root)
    .map((folder) => join(root, folder, 'faketime/libfaketimeMT.so.1'))
    .find((file) => existsSync(file));
};

const jumped = 'HubwatchClockJumped';
const down = 'HubAllEndpointsDown';

/**
 * Runs the program on a system clock that is changed while it runs. The clock step is notified, hold durations continue
 * by elapsed time, and the daemon stays healthy, also after a kill.
 */
export const fakedClock = async (machine: FaultyMachine): Promise<void> => {
  const offset = join(machine.folder, 'offset');
  const set = (hours: number): void => writeFileSync(offset, `${hours < 0 ? '' : '+'}${hours}h\n`);
  set(0);
  const port = await machine.listen();
  const config = {
    network: { chain_id: 'hub-test' },
    endpoints: [{ name: 'own', role: 'own', rpc: 'http://127.0.0.1:1' }],
    // Longer than the trial and shorter than the clock step.
    alerts: { rules: { [down]: { for: '90m' } } },
    web: { listen: '127.0.0.1:0' },
    store: { path: machine.store },
    notifiers: { webhooks: [{ name: 'hook', url: `http://127.0.0.1:${port}/` }] },
  };
  const env = {
    ...process.env,
    LD_PRELOAD: fakingLibrary(),
    FAKETIME_TIMESTAMP_FILE: offset,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    DONT_FAKE_MONOTONIC: '1',
  };
  machine.prepare();
  let daemon: RunningDaemon | undefined;
  const start = async (): Promise<RunningDaemon> => (daemon = await runDaemon(machine.folder, config, [], env));
  machine.atEnd(async () => daemon?.kill());
  const { url } = await start();
  await waitUntil('it is healthy', () => isHealthy(url));

  const hours = (machine.random.chance(0.5) ? 1 : -1) * (2 + machine.random.below(23));
  set(hours);
  await waitUntil('the step of the clock is notified', () => machine.has('firing', jumped));
  if (!(await isHealthy(url))) throw new Error(`unhealthy after the clock was set by ${hours} h`);
  if (machine.has('firing', down)) throw new Error(`${down} fired after the clock was set by ${hours} h`);

  await waitUntil('all notices are delivered', () => isDelivered(url));
  await daemon?.kill();
  set(-hours);
  const again = await start();
  await waitUntil('it is healthy after a kill', () => isHealthy(again.url));
  await waitUntil('all notices are delivered', () => isDelivered(again.url));
  await again.kill();
  machine.expectKept();
};

const isHealthy = async (url: string): Promise<boolean> => {
  const response = await fetch(`${url}/-/healthy`);
  await response.arrayBuffer();
  return response.status === 200;
};

const isDelivered = async (url: string): Promise<boolean> => {
  const response = await fetch(`${url}/metrics`);
  const queues = [...(await response.text()).matchAll(/^hubwatch_notification_queue_entries\{.*\} (\d+)$/gm)];
  return queues.length > 0 && queues.every(([, waiting]) => waiting === '0');
};

/** Polls until a condition is true, for at most a minute. @throws Error if it never becomes true */
const waitUntil = async (what: string, holds: () => boolean | Promise<boolean>): Promise<void> => {
  for (let look = 0; look < 600; look += 1) {
    if (await holds()) return;
    await pause(100);
  }
  throw new Error(`not within a minute: ${what}`);
};

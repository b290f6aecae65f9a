import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { fakeClock } from '../../test/fake-clock.js';
import { startWatchdog } from './systemd.js';

const start = (environment: Readonly<Record<string, string>>, isAlive: () => boolean = () => true) => {
  const clock = fakeClock();
  const pings: number[] = [];
  const watchdog = startWatchdog({ isAlive, clock, environment, ping: () => pings.push(clock.monotonicMs()) });
  const pass = async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second++) {
      clock.advance(1_000);
      await setImmediate();
    }
  };
  return { pass, pings, watchdog };
};

test('watchdog: four pings per period while the daemon is alive, none after it stops', async () => {
  const { pass, pings, watchdog } = start({ WATCHDOG_USEC: '120000000', WATCHDOG_PID: String(process.pid) });
  const [first = 0] = pings;
  await pass(120);
  expect(pings.map((ms) => ms - first)).toEqual([0, 30_000, 60_000, 90_000, 120_000]);
  watchdog.stop();
  await pass(120);
  expect(pings).toHaveLength(5);
});

test('watchdog: no ping while no rule is evaluated, pings again afterwards', async () => {
  let isAlive = false;
  const { pass, pings } = start({ WATCHDOG_USEC: '4000000' }, () => isAlive);
  await pass(60);
  expect(pings).toEqual([]);
  isAlive = true;
  await pass(1);
  expect(pings).toHaveLength(1);
});

test.each([{}, { WATCHDOG_USEC: '4000000', WATCHDOG_PID: '1' }])('watchdog: no pings for %j', async (environment) => {
  const { pass, pings } = start(environment);
  await pass(60);
  expect(pings).toEqual([]);
});

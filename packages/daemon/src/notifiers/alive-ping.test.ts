import { expect, onTestFinished, test } from 'vitest';
import { fakeClock } from '../../test/fake-clock.js';
import { type HttpService, startHttpService } from '../../test/http-service.js';
import { recordingLogger } from '../../test/parts.js';
import { createFailureLog } from '../log.js';
import { createOwnMetrics } from '../own-metrics.js';
import { startAlivePing } from './alive-ping.js';

const minute = 60_000;

const pingTo = (service: HttpService) => {
  const clock = fakeClock();
  const own = createOwnMetrics();
  const { logger, lines } = recordingLogger();
  let lastMs: number | undefined;
  const ping = startAlivePing(
    { url: `${service.url}/ping/s3cret`, every: minute },
    { clock, own, failures: createFailureLog(logger), lastRoundMs: () => lastMs, staleMs: 2 * minute },
  );
  onTestFinished(() => ping.stop());
  return {
    lines,
    /** A round of evaluation was stored now. */
    live: () => {
      lastMs = clock.monotonicMs();
    },
    /** Advances one minute and waits until the resulting work is done. */
    pass: async () => {
      await expect.poll(() => clock.pending()).toBe(1);
      clock.advance(minute);
      await expect.poll(() => clock.pending()).toBe(1);
    },
    withheld: () => own.registry.getSingleMetricAsString('hubwatch_alive_pings_withheld_total'),
  };
};

test('heartbeat ping: sent while polls run on time, and stops when they stop', async () => {
  const service = await startHttpService();
  const { live, pass, withheld, lines } = pingTo(service);
  await pass();
  expect(service.requests).toHaveLength(0);
  expect(await withheld()).toContain('{reason="starting"} 2');
  live();
  await pass();
  expect(service.requests).toMatchObject([{ method: 'GET', path: '/ping/s3cret' }]);
  await pass();
  expect(service.requests).toHaveLength(2);
  await pass();
  await pass();
  expect(service.requests).toHaveLength(2);
  expect(await withheld()).toContain('{reason="stale"} 2');
  live();
  await pass();
  expect(service.requests).toHaveLength(3);
  expect(lines.map(({ msg }) => msg)).toEqual(['failing', 'recovered']);
});

test('heartbeat ping: a failure is reported once, without its address, and retried', async () => {
  const service = await startHttpService(({ path }) => ({ status: 500, body: `no ${path}` }));
  const { live, pass, lines } = pingTo(service);
  live();
  await pass();
  live();
  await pass();
  service.answer = () => ({ status: 200 });
  live();
  await pass();
  expect(lines.map(({ msg }) => msg)).toEqual(['failing', 'recovered']);
  expect(JSON.stringify(lines)).not.toContain('s3cret');
});

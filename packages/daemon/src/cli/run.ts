import { startApp } from '../app.js';
import { systemClock } from '@hubwatch/client';
import type { Config } from '../config/schema.js';
import { createLogger } from '../log.js';
import { stopSignal } from './stop-signal.js';
import { notifySystemd } from './systemd.js';

/** Longest time that a clean stop may take. */
const stopMs = 1_800;

/** Runs the daemon until it is told to stop; resolves to 0 after a clean stop. */
export const run = async (config: Config, console: { out(text: string): void }): Promise<number> => {
  const logger = createLogger(config.log.level);
  const stopped = stopSignal();
  const app = await startApp(config, { clock: systemClock, logger });
  console.out(`hubwatch: status page ${app.address()}/  metrics ${app.address()}/metrics\n`);
  notifySystemd('READY=1');
  const signal = await stopped;
  logger.info({ signal }, 'stopping');
  notifySystemd('STOPPING=1');
  await Promise.race([app.close(), new Promise((resolve) => setTimeout(resolve, stopMs))]);
  return 0;
};

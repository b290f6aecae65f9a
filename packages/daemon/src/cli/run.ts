import { startApp } from '../app.js';
import { pause, systemClock } from '@hubwatch/client';
import type { LoadedConfig } from '../config/load.js';
import type { Config } from '../config/schema.js';
import { createLogger, type Logger } from '../log.js';
import { handleProcessEvents } from './process-events.js';
import { stopSignal } from './stop-signal.js';
import { notifySystemd, startWatchdog } from './systemd.js';

/** Time limit for a clean shutdown, milliseconds. */
const stopMs = 1_800;

/** Runs the daemon until a stop signal; resolves to 0 after a clean shutdown. */
export const run = async (
  { config, warnings }: LoadedConfig,
  console: { out(text: string): void },
): Promise<number> => {
  const logger = createLogger(config.log.level);
  for (const { path, message, line } of warnings?.problems ?? [])
    logger.warn({ key: path, line, text: message }, 'configuration');
  const leave = handleProcessEvents(logger);
  try {
    return await runUntilStopped(config, logger, console);
  } finally {
    leave();
  }
};

const runUntilStopped = async (
  config: Config,
  logger: Logger,
  console: { out(text: string): void },
): Promise<number> => {
  const stopped = stopSignal();
  const app = await startApp(config, { clock: systemClock, logger });
  console.out(`hubwatch: status page ${app.address()}/  metrics ${app.address()}/metrics\n`);
  notifySystemd('READY=1', logger);
  const watchdog = startWatchdog({
    isAlive: () => app.isAlive(),
    clock: systemClock,
    ping: () => notifySystemd('WATCHDOG=1', logger),
  });
  const signal = await stopped;
  logger.info({ signal }, 'stopping');
  notifySystemd('STOPPING=1', logger);
  watchdog.stop();
  await Promise.race([app.close(), pause(systemClock, stopMs)]);
  return 0;
};

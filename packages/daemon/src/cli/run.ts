import { pause, systemClock } from '@hubwatch/client';
import type { LoadedConfig } from '../config/load.js';
import { createLogger } from '../log.js';
import { handleProcessEvents } from './process-events.js';
import { RunningDaemon } from './running-daemon.js';
import { stopSignal } from './stop-signal.js';
import { notifySystemd, startWatchdog } from './systemd.js';

/** Time limit for a clean shutdown, milliseconds. */
const stopMs = 1_800;

/**
 * Runs the daemon until a stop signal; SIGHUP reads the configuration again. Resolves to 0 after a clean shutdown.
 *
 * @param load reads the configuration file; throws ConfigError
 */
export const run = async (load: () => LoadedConfig, console: { out(text: string): void }): Promise<number> => {
  const first = load();
  const logger = createLogger(first.config.log.level);
  const leave = handleProcessEvents(logger);
  const stopped = stopSignal();
  try {
    const daemon = await RunningDaemon.start(first, { load, logger });
    console.out(`hubwatch: status page ${daemon.address()}/  metrics ${daemon.address()}/metrics\n`);
    notifySystemd('READY=1', logger);
    const watchdog = startWatchdog({
      isAlive: () => daemon.isAlive(),
      clock: systemClock,
      ping: () => notifySystemd('WATCHDOG=1', logger),
    });
    const onHangUp = (): void => void daemon.reload();
    process.on('SIGHUP', onHangUp);
    const failed = daemon.failed();
    const signal = await Promise.race([stopped, failed]);
    logger.info({ signal }, 'stopping');
    notifySystemd('STOPPING=1', logger);
    watchdog.stop();
    await Promise.race([daemon.close(), pause(systemClock, stopMs)]);
    process.off('SIGHUP', onHangUp);
    return 0;
  } finally {
    leave();
  }
};

import { execFile } from 'node:child_process';
import { type Clock, pause } from '@hubwatch/client';
import type { Logger } from '../log.js';

type State = 'READY=1' | 'STOPPING=1' | 'WATCHDOG=1';

/** Reports a change of state to the service manager; does nothing outside a `Type=notify` unit. */
export const notifySystemd = (state: State, logger: Logger): void => {
  if (process.env['NOTIFY_SOCKET'] === undefined) return;
  // Node has no datagram sockets; the unit allows child processes to send notifications (NotifyAccess=all).
  execFile('systemd-notify', ['--no-block', state], (error) => {
    if (error !== null) logger.warn({ state, err: error }, 'systemd-notify failed');
  });
};

/** Number of pings per watchdog period: a lost one does not end the daemon. */
const pingsPerPeriod = 4;

export interface WatchdogParts {
  /** Whether polls, evaluation and store make progress. */
  readonly isAlive: () => boolean;
  readonly clock: Clock;
  readonly ping: () => void;
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/**
 * Pings the watchdog of systemd while the daemon is alive, as `WatchdogSec` of the unit requires. systemd kills and restarts a
 * daemon without pings; state is in the store. Does nothing without a watchdog, or if another process is to ping it.
 */
export const startWatchdog = ({ isAlive, clock, ping, environment = process.env }: WatchdogParts): { stop(): void } => {
  const stopping = new AbortController();
  const periodMs = Number(environment['WATCHDOG_USEC'] ?? 0) / 1_000;
  const pid = environment['WATCHDOG_PID'];
  const isOurs = pid === undefined || pid === String(process.pid);
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      if (isAlive()) ping();
      await pause(clock, periodMs / pingsPerPeriod, stopping.signal);
    }
  };
  if (periodMs > 0 && isOurs) void loop();
  return { stop: () => stopping.abort() };
};

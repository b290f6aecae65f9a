import { execFile } from 'node:child_process';
import type { Logger } from '../log.js';

/** Reports a change of state to the service manager; does nothing outside a `Type=notify` unit. */
export const notifySystemd = (state: 'READY=1' | 'STOPPING=1', logger: Logger): void => {
  if (process.env['NOTIFY_SOCKET'] === undefined) return;
  // Node has no datagram sockets; the unit allows child processes to send notifications (NotifyAccess=all).
  execFile('systemd-notify', ['--no-block', state], (error) => {
    if (error !== null) logger.warn({ state, err: error }, 'systemd-notify failed');
  });
};

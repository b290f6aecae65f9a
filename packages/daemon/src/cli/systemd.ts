import { execFile } from 'node:child_process';

/** Tells the service manager of a change of state; does nothing outside a `Type=notify` unit. */
export const notifySystemd = (state: 'READY=1' | 'STOPPING=1'): void => {
  if (process.env['NOTIFY_SOCKET'] === undefined) return;
  // Node has no datagram sockets; the unit allows children to speak for it (NotifyAccess=all).
  execFile('systemd-notify', ['--no-block', state], (error) => {
    if (error !== null) process.stderr.write(`hubwatch: systemd-notify ${state} failed: ${error.message}\n`);
  });
};

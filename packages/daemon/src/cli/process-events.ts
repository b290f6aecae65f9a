import type { Logger } from '../log.js';

/**
 * Replaces default behaviour of Node. A warning becomes a log line instead of plain text between JSON lines. An
 * uncaught error is logged before the process exits with code 1. SIGHUP does not end the process, also before the daemon can
 * reload. Returns a function that restores the defaults.
 */
export const handleProcessEvents = (logger: Logger): (() => void) => {
  const nodes = process.listeners('warning');
  const onWarning = ({ name, message }: Error): void =>
    logger.warn({ warning: name, text: message }, 'warning of the runtime');
  const onError = (error: unknown): void => {
    logger.error({ err: error }, 'internal error');
    process.exit(1);
  };
  const onHangUp = (): void => undefined;
  for (const one of nodes) process.off('warning', one);
  process.on('warning', onWarning).on('uncaughtException', onError).on('SIGHUP', onHangUp);
  return () => {
    process.off('warning', onWarning).off('uncaughtException', onError).off('SIGHUP', onHangUp);
    for (const one of nodes) process.on('warning', one);
  };
};

import { createServer } from 'node:net';

/**
 * Port to listen on: the asked one as it is, else the documented default when it is free on loopback, else 0, which lets
 * the system choose.
 */
export async function choosePort(asked: number | undefined, standard: number): Promise<number> {
  if (asked !== undefined) return asked;
  return (await isFree(standard)) ? standard : 0;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}

import { isIPv6 } from 'node:net';

/** Where a node says that it can be reached. */
export interface RemoteAddress {
  /** A name, or an address without brackets. */
  readonly host: string;
  readonly port: number;
}

/**
 * `host:port` with IPv6 in brackets, as the chain takes it; a scheme before it and a slash after it are let pass. `undefined`
 * for anything else, also for IPv6 without brackets, of which nobody can tell where the port begins.
 */
export const parseRemoteAddress = (text: string): RemoteAddress | undefined => {
  const match = /^(?:https?:\/\/)?(?:\[([0-9a-f:.]{2,45})\]|([a-z0-9](?:[a-z0-9._-]{0,252})?)):(\d{1,5})\/?$/i.exec(
    text,
  );
  const port = Number(match?.[3]);
  if (match === null || port < 1 || port > 65_535) return undefined;
  const [, v6, name] = match;
  if (v6 !== undefined) return isIPv6(v6) ? { host: v6, port } : undefined;
  return name === undefined ? undefined : { host: name, port };
};

import { isIPv6 } from 'node:net';

/** Address at which a node reports to be reachable. */
export interface RemoteAddress {
  /** A name, or an IP address without brackets. */
  readonly host: string;
  readonly port: number;
}

/**
 * Parses `host:port` with IPv6 in brackets, the form that the chain accepts. A scheme prefix and a trailing slash are ignored.
 * Returns `undefined` for anything else, including IPv6 without brackets, where the start of the port is ambiguous.
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

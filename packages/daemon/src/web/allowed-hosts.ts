import { isIP } from 'node:net';
import { hostname } from 'node:os';
import type { Config } from '../config/schema.js';

/** Whether a request with this `Host` header may be answered. */
export type AllowsHost = (header: string | undefined) => boolean;

/**
 * Accepts IP addresses, the names of this machine, the host of `alerts.external_url` and the names in `web.hosts`. Any
 * other name may be a DNS rebinding attack: its owner pointed it at this machine so that their pages can read the
 * responses.
 */
export const allowedHosts = ({ web, alerts }: Pick<Config, 'web' | 'alerts'>, machine = hostname()): AllowsHost => {
  const { external_url: external } = alerts;
  const names = new Set(
    [
      'localhost',
      machine,
      `${machine}.local`,
      // The host name without its domain.
      machine.split('.')[0] ?? '',
      web.listen.host,
      ...(external === undefined ? [] : [new URL(external).hostname]),
      ...web.hosts,
    ].map(canonical),
  );
  return (header) => {
    // Only HTTP/1.0 requests lack the header, and browsers do not use HTTP/1.0.
    if (header === undefined) return true;
    const name = /^(\[[^\]]+\]|[^:[\]]*)(?::\d{1,5})?$/.exec(header)?.[1];
    if (name === undefined || name === '') return false;
    const bare = canonical(name);
    return (
      isIP(bare.replace(/^\[|\]$/g, '').replace(/%.*$/, '')) !== 0 || names.has(bare) || bare.endsWith('.localhost')
    );
  };
};

/** Lower case, without the trailing dot of a fully qualified name. */
const canonical = (name: string): string => {
  const plain = name.toLowerCase().replace(/\.$/, '');
  return URL.canParse(`http://${plain}`) ? new URL(`http://${plain}`).hostname : plain;
};

import type { AnyMethod, TransportKind } from '@hubwatch/types/runtime/method';
import { HubError } from './error.js';
import { placeOf } from './place.js';

/**
 * Refuses a call that the node does not serve on a transport, before any request is sent. For TypeScript callers, the
 * compiler reports the same.
 *
 * @throws HubError `not_served` with the reason and the replacement
 */
export function requireServed(method: AnyMethod, kind: TransportKind, address: string): void {
  const entry = method.availability[kind];
  if (entry.served) return;
  const place = placeOf(method, kind, address);
  throw new HubError({ code: 'not_served', message: `${place.method} over ${kind}: ${entry.reason}`, ...place });
}

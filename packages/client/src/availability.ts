import type { AnyMethod, TransportKind } from '@hubwatch/types/runtime/method';
import { HubError } from './error.js';

/**
 * Refuses a call that the node does not serve on a transport, before any request is made. The compiler says the same
 * to TypeScript callers.
 *
 * @throws HubError `not_served` with the reason and the replacement
 */
export function requireServed(method: AnyMethod, kind: TransportKind, address: string): void {
  const entry = method.availability[kind];
  if (entry.served) return;
  const name = `${method.service}/${method.name}`;
  throw new HubError({
    code: 'not_served',
    message: `${name} over ${kind}: ${entry.reason}`,
    transport: kind,
    address,
    method: name,
  });
}

import type { ItemOf, TransportKind } from '@hubwatch/types/runtime/method';
import type { Transport } from '../transport.js';
import type { Extent } from './extent.js';
import { identityOf } from './record-identity.js';
import { type ListMethod, type ListRequestOf, pages, type PagesOptions } from './sweep.js';

/** A whole list, and the completeness of the read. */
export interface Collected<T> {
  readonly items: readonly T[];
  readonly extent: Extent;
}

/**
 * Reads a whole list into memory; see {@link pages}. A record that was returned twice, because the list changed during
 * the read, is included once.
 *
 * @throws HubError as any call, and `decode` when the list of the node does not end
 */
export async function collect<K extends TransportKind, M extends ListMethod>(
  transport: Transport<K>,
  method: M,
  request: ListRequestOf<M, K>,
  options?: PagesOptions,
): Promise<Collected<ItemOf<M>>> {
  const sweep = pages(transport, method, request, options);
  const items: ItemOf<M>[] = [];
  for await (const page of sweep) items.push(...page.items);
  const extent = sweep.extent ?? { kind: 'possibly_truncated', reason: 'the read was not over' };
  return { items: extent.kind === 'mixed_heights' ? unique(items, method.service) : items, extent };
}

function unique<T>(items: readonly T[], service: string): T[] {
  const known = new Set<string>();
  return items.filter((item) => {
    const identity = identityOf(item, service);
    const isNew = !known.has(identity);
    known.add(identity);
    return isNew;
  });
}

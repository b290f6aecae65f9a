import type { AnyMethod, TransportKind } from '@hubwatch/types/runtime/method';
import type { HubErrorFacts } from './error.js';
import { shownAddress } from './shown-address.js';

/** Facts about a call that each of its errors carries. */
export type Place = Required<Pick<HubErrorFacts, 'transport' | 'address'>> & Pick<HubErrorFacts, 'method' | 'height'>;

/** Place of a query. */
export function placeOf(method: AnyMethod, transport: TransportKind, address: string, height?: bigint): Place {
  return { transport, address, method: `${method.service}/${method.name}`, height };
}

/** `hub.node.v3.QueryService/QueryNodes over grpc at host:9090`, the start of a message. */
export function placeText(place: Place): string {
  return `${place.method ?? 'request'} over ${place.transport} at ${shownAddress(place.address)}`;
}

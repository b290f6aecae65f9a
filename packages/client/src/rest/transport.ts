import type { AnyMethod, RequestOf } from '@hubwatch/types/runtime/method';
import { requireServed } from '../availability.js';
import { requireHeight } from '../height-header.js';
import { baseUrl } from '../http/base-url.js';
import { exchange } from '../http/exchange.js';
import { writeRequest } from '../message-error.js';
import { resolveNaming } from '../naming/resolve.js';
import { headersOf, limitsOf, type TransportOptions } from '../options.js';
import { placeOf } from '../place.js';
import type { CallOptions, Transport } from '../transport.js';
import { writeRestRequest } from './request.js';
import { readRestResponse } from './response.js';
import { shownAddress } from '../shown-address.js';

/**
 * Queries over the REST gateway, over node:http in Node and fetch in browsers.
 *
 * @throws HubError `invalid_argument` when the address is not an http or https URL
 */
export function createRestTransport(options: TransportOptions): Transport<'rest'> {
  const base = baseUrl(options.address, 'rest');
  return {
    kind: 'rest',
    address: shownAddress(options.address),
    call: async <M extends AnyMethod>(method: M, request: RequestOf<M, 'rest'>, call: CallOptions = {}) => {
      requireServed(method, 'rest', options.address);
      const place = placeOf(method, 'rest', options.address, call.height);
      requireHeight(call.height, place);
      const limits = limitsOf(options, call);
      const naming = await resolveNaming(options.naming, limits, place);
      const sent = writeRequest(() => writeRestRequest(method, request as object, call.height, naming), place);
      const answer = await exchange(
        {
          verb: sent.verb,
          url: base + sent.target,
          headers: { ...headersOf(options, call), ...sent.headers },
          body: sent.body,
          repeatable: sent.verb === 'GET',
        },
        limits,
        place,
      );
      return readRestResponse(method, answer, naming, place);
    },
    // Idle sockets are shared with other transports to the address and close automatically.
    close: () => Promise.resolve(),
  };
}

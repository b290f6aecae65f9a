import type { AnyMethod, RequestOf } from '@hubwatch/types/runtime/method';
import { requireServed } from '../availability.js';
import { baseUrl } from '../http/base-url.js';
import { exchange } from '../http/exchange.js';
import { requireHeight } from '../height-header.js';
import { writeRequest } from '../message-error.js';
import { resolveNaming } from '../naming/resolve.js';
import { headersOf, limitsOf, type TransportOptions } from '../options.js';
import { placeOf } from '../place.js';
import { postRpc } from '../rpc/request.js';
import { readRpcAnswer } from '../rpc/response.js';
import type { CallOptions, Transport } from '../transport.js';
import { writeAbciRequest } from './request.js';
import { readAbciResponse } from './response.js';
import { shownAddress } from '../shown-address.js';

/**
 * Queries through the consensus RPC (`abci_query`), over node:http in Node and fetch in browsers.
 *
 * @throws HubError `invalid_argument` when the address is not an http or https URL
 */
export function createAbciTransport(options: TransportOptions): Transport<'abci'> {
  const base = baseUrl(options.address, 'abci');
  return {
    kind: 'abci',
    address: shownAddress(options.address),
    call: async <M extends AnyMethod>(method: M, request: RequestOf<M, 'abci'>, call: CallOptions = {}) => {
      requireServed(method, 'abci', options.address);
      const place = placeOf(method, 'abci', options.address, call.height);
      requireHeight(call.height, place);
      const limits = limitsOf(options, call);
      const naming = await resolveNaming(options.naming, limits, place);
      const sent = writeRequest(
        () =>
          postRpc(
            base,
            'abci_query',
            { ...writeAbciRequest(method, request as object, call.height, naming) },
            headersOf(options, call),
          ),
        place,
      );
      const answer = await exchange({ ...sent, repeatable: true }, limits, place);
      return readAbciResponse(method, readRpcAnswer(answer, sent.id, place), naming, place);
    },
    // Idle sockets are shared with other transports to the address and close automatically.
    close: () => Promise.resolve(),
  };
}

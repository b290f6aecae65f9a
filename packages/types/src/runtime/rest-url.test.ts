import { describe, expect, expectTypeOf, test } from 'vitest';

import type { QueryNodesResponse } from '../gen/forms/hub/node/v3/querier.js';
import { type RestRoutes, restRoutes, routeUrl } from '../gen/rest/routes.js';
import { publicProfile } from '../gen/naming/public.js';
import { createNaming } from './naming-profile.js';
import { restUrl } from './rest-url.js';

describe('rest urls', () => {
  test.each([
    ['rooms/1', '/v1/rooms/1'],
    ['rooms/a b', '/v1/rooms/a%20b'],
  ])('rest url: %j matches the pattern rooms/*', (name, url) => {
    expect(restUrl('GET /v1/{name=rooms/*}', { path: { name } })).toBe(url);
  });

  test.each(['rooms', 'rooms/1/2', 'halls/1'])('rest url: %j does not match rooms/* and is refused', (name) => {
    expect(() => restUrl('GET /v1/{name=rooms/*}', { path: { name } })).toThrow('its route takes rooms/*');
  });

  test('route url: path and query of a route, typed by its literal', () => {
    expect(routeUrl('GET /hub/node/v3/params', {})).toBe('/hub/node/v3/params');
    expect(routeUrl('GET /hub/node/v3/nodes', { query: { status: 1, 'pagination.limit': 2n } })).toBe(
      '/hub/node/v3/nodes?status=1&pagination.limit=2',
    );
    expect(
      routeUrl('GET /hub/node/v3/plans/{id}/nodes', { path: { id: 2n ** 63n }, query: { 'pagination.key': 'A+/=' } }),
    ).toBe('/hub/node/v3/plans/9223372036854775808/nodes?pagination.key=A%2B%2F%3D');
    expectTypeOf<RestRoutes['GET /hub/node/v3/nodes']['response']>().toEqualTypeOf<QueryNodesResponse>();
  });

  test('route url: a list repeats its parameter, an absent one is omitted', () => {
    expect(
      routeUrl('GET /stack/tx/v1beta1/txs', {
        query: { events: ['a.b=1', "c='d'"], 'pagination.key': undefined, page: '3' },
      }),
    ).toBe("/stack/tx/v1beta1/txs?events=a.b%3D1&events=c%3D'd'&page=3");
  });

  test('route url: names of a network in the template only', () => {
    const naming = createNaming(publicProfile);
    expect(routeUrl('GET /hub/oracle/v1/assets/{denom}', { path: { denom: 'hub' } }, naming)).toBe(
      `${naming.routeToWire('/hub/oracle/v1/assets')}/hub`,
    );
  });

  test('denom with a slash: accepted where the route allows it, refused elsewhere with the alternative', () => {
    const routes = Object.entries(restRoutes).filter(([, route]) => 'slashes' in route);
    expect(routes.map(([name]) => name)).toEqual([
      'GET /ibc/apps/transfer/v1/denom_hashes/{trace=**}',
      'GET /ibc/apps/transfer/v1/denom_traces/{hash=**}',
      'GET /ibc/apps/transfer/v1/denoms/{denom=**}/total_escrow',
    ]);
    const denom = 'ibc/31FEE1A2A9F9C01113F90BD0BBCCE8FD6BBB8585FAF109A2101827DD1D5B95B8';
    expect(() => routeUrl('GET /hub/oracle/v1/assets/{denom}', { path: { denom } })).toThrow(
      /denom is "ibc\/31FE.*no path of the gateway can hold a slash in one value; ask over gRPC or abci_query, or read the list/,
    );
    expect(routeUrl('GET /ibc/apps/transfer/v1/denoms/{denom=**}/total_escrow', { path: { denom } })).toBe(
      `/ibc/apps/transfer/v1/denoms/${denom}/total_escrow`,
    );
  });

  test('route url: parameters that do not fit the route do not compile, and an empty value is refused', () => {
    // @ts-expect-error the path is missing
    expect(() => routeUrl('GET /hub/node/v3/nodes/{address}', {})).toThrow(
      /address stands in the path .* not be empty/,
    );
    // @ts-expect-error a name where a number is taken
    expect(routeUrl('GET /hub/node/v3/nodes', { query: { status: 'STATUS_ACTIVE' } })).toContain('status=');
    // @ts-expect-error this route is not served
    expect(routeUrl('GET /hub/plan/v3/plans', {})).toBe('/hub/plan/v3/plans');
  });
});

import { queryAsset } from '@hubwatch/types/gen/methods/hub/oracle/v1/query-service';
import { queryNode, queryNodes } from '@hubwatch/types/gen/methods/hub/node/v3/query-service';
import { querySwap } from '@hubwatch/types/gen/methods/hub/swap/v1/query-service';
import { CodecError } from '@hubwatch/types/runtime/codec-error';
import { defineTable } from '@hubwatch/types/runtime/define-table';
import { toGatewayJson } from '@hubwatch/types/runtime/json';
import type { RestRule } from '@hubwatch/types/runtime/method';
import { identityNaming } from '@hubwatch/types/runtime/naming-profile';
import { describe, expect, it } from 'vitest';
import { getThing } from '../../test/methods.js';
import { publicNaming } from '../naming/public.js';
import { UncarriedError, writeRestRequest } from './request.js';

const text = defineTable<{ readonly line: string }>('a.v1.Text', 'line');
const request = defineTable<{ readonly name: string; readonly text: { readonly line: string }; readonly dry: boolean }>(
  'a.v1.Request',
  'name,text message,dry bool?',
  () => [text],
);
const ofAnotherTeam = (rest: RestRule) => ({ ...getThing, request, response: text, rest });

describe('REST request', () => {
  it('a body that is one field: contains its JSON alone; the others are in path and query, including an optional zero', () => {
    const method = ofAnotherTeam({
      verb: 'PUT',
      path: '/v1/{name=rooms/*}/text',
      body: 'text',
      writeBody: toGatewayJson,
    });
    const form = { name: 'rooms/1 2', text: { line: 'a:b' }, dry: false };
    expect(writeRestRequest(method, form, undefined, identityNaming)).toEqual({
      verb: 'PUT',
      target: '/v1/rooms/1%202/text?dry=false',
      headers: { 'content-type': 'application/json' },
      body: '{"line":"a:b"}',
    });
  });

  it.each(['rooms', 'rooms/1/2', 'halls/1', 'rooms/'])(
    'a path pattern: %j does not match rooms/* and is refused',
    (name) => {
      const method = ofAnotherTeam({ verb: 'GET', path: '/v1/{name=rooms/*}' });
      expect(() => writeRestRequest(method, { name }, undefined, identityNaming)).toThrow('its route takes rooms/*');
    },
  );

  it('bytes in a path: use the URL alphabet with padding', () => {
    const txHash = Uint8Array.from([0xfb, 0xff, 0xbf, 1]);
    expect(writeRestRequest(querySwap, { txHash }, undefined, identityNaming).target).toBe(
      '/hub/swap/v1/swaps/-_-_AQ%3D%3D',
    );
  });

  it('a value that equals a word of the naming: unchanged in path and query', () => {
    const { target } = writeRestRequest(queryAsset, { denom: 'hub' }, undefined, publicNaming);
    expect(target).toBe(`${publicNaming.routeToWire('/hub/oracle/v1/assets')}/hub`);
  });

  it('an empty path parameter: refused, because it would select another route', () => {
    expect(() => writeRestRequest(queryAsset, {}, undefined, identityNaming)).toThrow('denom stands in the path');
  });

  it.each(['address', 'delegator_addr', 'voter', 'depositor', 'granter', 'grantee', 'owner', 'admin', 'relayer'])(
    'an address in the path, %s: blanks and signs are refused before a request, as the node does on other transports',
    (name) => {
      const given = defineTable<Readonly<Record<string, string>>>('a.v1.Given', name);
      const method = { ...ofAnotherTeam({ verb: 'GET', path: `/v1/{${name}}` }), request: given };
      const prop = name === 'delegator_addr' ? 'delegatorAddr' : name;
      for (const text of ['', ' ', ' hub1qq', 'hub1qq ', 'hub1 qq', 'hub1qq\n', 'hub1:qq', 'hub1/qq']) {
        expect(() => writeRestRequest(method, { [prop]: text }, undefined, identityNaming)).toThrow(CodecError);
        expect(() => writeRestRequest(method, { [prop]: text }, undefined, identityNaming)).not.toThrow(UncarriedError);
      }
      expect(writeRestRequest(method, { [prop]: 'hub1qq' }, undefined, identityNaming).target).toBe('/v1/hub1qq');
    },
  );

  it('members of value zero: omitted', () => {
    expect(
      writeRestRequest(getThing, { id: 0n, status: 0, page: { limit: 0n } }, undefined, identityNaming).target,
    ).toBe('/hub/test/v1/things/0');
  });

  it.each([1, 2, 3, 'STATUS_INACTIVE', 'inactive'])('status %j: the ordinal in the query, never the name', (status) => {
    const number = typeof status === 'number' ? status : 3;
    expect(writeRestRequest(queryNodes, { status }, undefined, identityNaming).target).toBe(
      `/hub/node/v3/nodes?status=${number}`,
    );
  });

  it.each(['sentnode1abc:def', 'sentnode1 abc', 'sentnode1abc%2F', '../params'])(
    'malformed address %j: never sent',
    (address) => {
      expect(() => writeRestRequest(queryNode, { address }, undefined, publicNaming)).toThrow(
        'letters and digits only',
      );
    },
  );

  it('denom with a slash: refused with the alternative, instead of a misleading 501', () => {
    expect(() => writeRestRequest(queryAsset, { denom: 'ibc/27394F' }, undefined, identityNaming)).toThrow(
      'denom is "ibc/27394F": no path of the gateway can hold a slash in one value; ask over gRPC or abci_query',
    );
  });
});

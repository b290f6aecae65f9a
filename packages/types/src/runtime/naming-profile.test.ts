import { describe, expect, it } from 'vitest';
import { publicProfile } from '../gen/naming/public.js';
import { createNaming, identityNaming } from './naming-profile.js';

const naming = createNaming(publicProfile);
const word = publicProfile.segments.package;

describe('naming', () => {
  it.each([
    ['/hub.node.v3.Session', `/${word.hub}.node.v3.Session`],
    ['hub.node.v3.QueryService/QueryNodes', `${word.hub}.node.v3.QueryService/QueryNodes`],
    ['stack.base.bft.v1beta1.Service', `${word.stack}.base.${word.bft}.v1beta1.Service`],
    [
      'ibc.applications.interchain_accounts.v1.StackTx',
      `ibc.applications.interchain_accounts.v1.${publicProfile.type_names.simple.StackTx}`,
    ],
    ['ibc.core.client.v1.Query', 'ibc.core.client.v1.Query'],
  ])('type %s: mapped by whole segments and back', (neutral, wire) => {
    expect(naming.typeToWire(neutral)).toBe(wire);
    expect(naming.typeFromWire(wire)).toBe(neutral);
  });

  it('a word inside a segment: unchanged', () => {
    expect(naming.typeToWire('/github.hubs.Hub')).toBe('/github.hubs.Hub');
    expect(naming.routeToWire('/hubs/x-hub/07-bft')).toBe('/hubs/x-hub/07-bft');
  });

  it('routes, events, members, headers and tags: each uses its own table', () => {
    expect(naming.routeToWire('/hub/node/v3/nodes/{address}')).toBe(`/${word.hub}/node/v3/nodes/{address}`);
    expect(naming.eventFromWire(`${word.hub}.node.v3.EventPay`)).toBe('hub.node.v3.EventPay');
    expect(naming.eventToWire('hub')).toBe('hub');
    expect(naming.memberToWire('stack_sdk_version')).toBe(publicProfile.json_members.stack_sdk_version);
    expect(naming.memberToWire('stack')).toBe('stack');
    expect(naming.headerToWire('X-Stack-Block-Height')).toBe(publicProfile.headers['x-stack-block-height']);
    expect(naming.headerFromWire('Content-Type')).toBe('content-type');
    expect(naming.tagFromWire(`${word.bft}/PubKeyEd25519`)).toBe('bft/PubKeyEd25519');
  });

  it('very many names of a network: still mapped correctly after the cache is cleared', () => {
    for (let i = 0; i < 20_000; i++) naming.typeFromWire(`/a.b${i}`);
    expect(naming.typeFromWire(`/${word.hub}.x`)).toBe('/hub.x');
  });

  it('two neutral names for one wire name: refused', () => {
    const segments = { package: { hub: 'x', stack: 'x' }, route: {}, event_type: {} };
    expect(() => createNaming({ profile: 'p', segments, headers: {}, json_members: {} })).toThrow(
      'segments.package: x stands for hub and stack',
    );
  });

  it('identity: changes only the case of headers', () => {
    expect(identityNaming.typeToWire('/hub.x')).toBe('/hub.x');
    expect(identityNaming.headerToWire('X-A')).toBe('x-a');
  });
});

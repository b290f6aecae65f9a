import { publicProfile } from '../gen/naming/public.js';
import { expect, test } from 'vitest';
import { aminoJson, fileNames, memberNames, typeNames } from './carriers.js';
import { decodeBinary, encodeBinary } from './binary.js';
import { decodeBinary as decodeFast, fromJson as fromJsonFast } from './decode.js';
import { defineTable } from './define-table.js';
import { fromJson, toGatewayJson } from './json.js';
import { createNaming } from './naming-profile.js';
import { fromProtoJson, toProtoJson } from './proto-json.js';
import type { Carrier } from './table.js';

const naming = createNaming(publicProfile);

test.each<[string, Carrier, string, string]>([
  ['a type URL', typeNames, '/hub.node.v3.MsgA', '/sentinel.node.v3.MsgA'],
  ['several type URLs', typeNames, ',/stack.gov.v1.MsgA,/hub.a.MsgB', ',/cosmos.gov.v1.MsgA,/sentinel.a.MsgB'],
  ['a wildcard', typeNames, '*', '*'],
  ['a method path', typeNames, '/bft.x.Query/Get', '/tendermint.x.Query/Get'],
  ['a proto file', fileNames, 'hub/node/v3/hub.proto', 'sentinel/node/v3/sentinel.proto'],
  ['a member', memberNames, 'stack_sdk_version', 'cosmos_sdk_version'],
  [
    'amino JSON',
    aminoJson,
    '{"type":"stack-sdk/StdTx","msg":[{"type":"stack-sdk/MsgSend"}]}',
    '{"type":"cosmos-sdk/StdTx","msg":[{"type":"cosmos-sdk/MsgSend"}]}',
  ],
  [
    'a grant in amino JSON',
    aminoJson,
    '{"type":"stack-sdk/GenericAuthorization","value":{"msg":"/hub.a.MsgB"}}',
    '{"type":"cosmos-sdk/GenericAuthorization","value":{"msg":"/sentinel.a.MsgB"}}',
  ],
  [
    'an allowance in amino JSON',
    aminoJson,
    '{"allowed_messages":["/hub.a.MsgB","/stack.c.MsgD"],"memo":"/hub.x"}',
    '{"allowed_messages":["/sentinel.a.MsgB","/cosmos.c.MsgD"],"memo":"/hub.x"}',
  ],
  ['a part of a segment', typeNames, '/hubs.node-hub.MsgA', '/hubs.node-hub.MsgA'],
])('%s: translated in both directions', (_, carrier, neutral, wire) => {
  expect(carrier.toWire(neutral, naming)).toBe(wire);
  expect(carrier.fromWire(wire, naming)).toBe(neutral);
});

interface Held {
  readonly url: string;
  readonly urls: readonly string[];
  readonly text: string;
  readonly choice: { readonly $case: 'chosen'; readonly value: string } | undefined;
}

const Held = defineTable<Held>('test.Held', 'url=,urls*=,text,chosen=@choice', () => [typeNames, typeNames, typeNames]);
const Plain = defineTable<Held>('test.Held', 'url,urls*,text,chosen@choice');

const neutral: Held = {
  url: '/hub.a.B',
  urls: ['/stack.c.D', ''],
  text: '/hub.a.B',
  choice: { $case: 'chosen', value: 'hub.a.Service' },
};
const wire: Held = {
  url: '/sentinel.a.B',
  urls: ['/cosmos.c.D', ''],
  text: '/hub.a.B',
  choice: { $case: 'chosen', value: 'sentinel.a.Service' },
};

test('a field with names: the same form from the bytes and from both JSON dialects, by every decoder', () => {
  const bytes = encodeBinary(Held, neutral, naming);
  expect(decodeBinary(Plain, bytes)).toEqual(wire);
  for (const decode of [decodeBinary, decodeFast]) expect(decode(Held, bytes, naming)).toEqual(neutral);
  const text = toGatewayJson(Held, neutral, naming);
  expect(text).toBe(toGatewayJson(Plain, wire));
  for (const read of [fromJson, fromJsonFast]) expect(read(Held, JSON.parse(text), naming)).toEqual(neutral);
  const proto = toProtoJson(Held, neutral, naming);
  expect(proto).toBe(toProtoJson(Plain, wire));
  expect(fromProtoJson(Held, JSON.parse(proto), naming)).toEqual(neutral);
});

test('a value that is not text: refused as in any text field', () => {
  expect(() => encodeBinary(Held, { url: 5 } as never, naming)).toThrow('url: a text is expected, not number');
  for (const read of [fromJson, fromJsonFast])
    expect(() => read(Held, { url: 5 }, naming)).toThrow('url: a text is expected, not a number');
});

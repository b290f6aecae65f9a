import { publicProfile } from '../gen/naming/public.js';
import { expect, test } from 'vitest';
import { eventLogs, eventNames, eventQueries } from './event-names.js';
import { createNaming, identityNaming } from './naming-profile.js';

const naming = createNaming(publicProfile);
const named = { message: ['action'], 'stack.authz.v1beta1.EventGrant': ['msg_type_url'] };
const queries = eventQueries(named);
const logs = eventLogs(named);
const events = eventNames(named);

test.each([
  ["message.action='/hub.node.v3.MsgA'", "message.action='/sentinel.node.v3.MsgA'"],
  ["message.action CONTAINS '/stack.bank'", "message.action CONTAINS '/cosmos.bank'"],
  ['hub.node.v3.EventA.node_address = \'"sentnode1"\'', 'sentinel.node.v3.EventA.node_address = \'"sentnode1"\''],
  [
    'hub.lease.v1.EventPay.lease_id EXISTS AND tx.height>5',
    'sentinel.lease.v1.EventPay.lease_id EXISTS AND tx.height>5',
  ],
  [
    "stack.authz.v1beta1.EventGrant.msg_type_url='\"/hub.node.v3.MsgA\"' AND transfer.sender='hub.a'",
    "cosmos.authz.v1beta1.EventGrant.msg_type_url='\"/sentinel.node.v3.MsgA\"' AND transfer.sender='hub.a'",
  ],
  ["tm.event='Tx' AND message.sender='/hub.x'", "tm.event='Tx' AND message.sender='/hub.x'"],
  ['tx.height > 5 AND a.b = TIME 2025-01-31T23:59:59.5Z', 'tx.height > 5 AND a.b = TIME 2025-01-31T23:59:59.5Z'],
])('a query %s: its names are translated, the texts of other attributes are not', (neutral, wire) => {
  expect(queries.toWire(neutral, naming)).toBe(wire);
  expect(queries.fromWire(wire, naming)).toBe(neutral);
  expect(queries.toWire(neutral, identityNaming)).toBe(neutral);
});

const log = (action: string, type: string, url: string): string =>
  JSON.stringify([
    {
      msg_index: 0,
      events: [
        {
          type: 'message',
          attributes: [
            { key: 'action', value: action },
            { key: 'sender', value: '/cosmos.x hub.y' },
          ],
        },
        {
          type,
          attributes: [
            { key: 'msg_type_url', value: JSON.stringify(url) },
            { key: 'note', value: '"type":"cosmos.a"' },
          ],
        },
      ],
    },
  ]);

test('a log of events: names are translated in place, quoted texts that look like members are not', () => {
  const neutral = log('/hub.node.v3.MsgA', 'stack.authz.v1beta1.EventGrant', '/hub.node.v3.MsgB');
  const wire = log('/sentinel.node.v3.MsgA', 'cosmos.authz.v1beta1.EventGrant', '/sentinel.node.v3.MsgB');
  expect(logs.fromWire(wire, naming)).toBe(neutral);
  expect(logs.toWire(neutral, naming)).toBe(wire);
});

test('a log of a failure: unchanged, regardless of its content', () => {
  for (const text of ['', '[]', 'unknown service cosmos.x', '["/cosmos.bank.v1beta1.MsgSend"]'])
    expect(logs.fromWire(text, naming)).toBe(text);
});

test('an event: type and marked attributes are translated, and missing parts are ignored', () => {
  const wire = {
    type: 'cosmos.authz.v1beta1.EventGrant',
    attributes: [
      { key: 'msg_type_url', value: '"/sentinel.node.v3.MsgA"', index: true },
      { key: 'granter', value: '"/sentinel.node.v3.MsgA"', index: true },
      { key: 'msg_type_url', value: null },
    ],
  };
  expect(events.fromWire(wire, naming)).toEqual({
    type: 'stack.authz.v1beta1.EventGrant',
    attributes: [
      { key: 'msg_type_url', value: '"/hub.node.v3.MsgA"', index: true },
      { key: 'granter', value: '"/sentinel.node.v3.MsgA"', index: true },
      { key: 'msg_type_url', value: null },
    ],
  });
  expect(events.toWire(events.fromWire(wire, naming), naming)).toEqual(wire);
  expect(events.toWire({ attributes: [] }, naming)).toEqual({ attributes: [] });
  expect(events.fromWire({ type: 'cosmos.a.EventB' }, naming)).toEqual({ type: 'stack.a.EventB' });
  expect(events.fromWire({ type: 'constructor', attributes: [] }, naming)).toEqual({
    type: 'constructor',
    attributes: [],
  });
});

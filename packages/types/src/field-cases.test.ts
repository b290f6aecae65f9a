import { describe, expect, expectTypeOf, it } from 'vitest';

import { EventPay } from './gen/forms/hub/lease/v1/events.js';
import { EventCreate } from './gen/forms/hub/node/v3/events.js';
import { Node } from './gen/forms/hub/node/v3/node.js';
import { Session } from './gen/forms/hub/node/v3/session.js';
import { querySessions } from './gen/methods/hub/session/v3/query-service.js';
import { BaseSession } from './gen/forms/hub/session/v3/session.js';
import { Price } from './gen/forms/hub/types/v1/price.js';
import { Lease } from './gen/forms/hub/lease/v1/lease.js';
import { TxResponse } from './gen/forms/stack/base/abci/v1beta1/abci.js';
import { decodeBinary, encodeBinary } from './runtime/binary.js';
import { fromEvent } from './runtime/event.js';
import { fromJson, toGatewayJson } from './runtime/json.js';
import { printDuration, readDuration } from './runtime/time.js';

const past53 = 9007199254740993n;

/** What people met in the field, on the tables of the interface. */
describe('field cases', () => {
  it.each(['active', 'STATUS_ACTIVE', 1, '1'])('C13 an enum as %j: one value, the same as over gRPC', (status) => {
    expect(fromJson(Node, { status }).status).toBe(decodeBinary(Node, encodeBinary(Node, { status: 1 })).status);
  });
  it.each(['always', 'RENEWAL_PRICE_POLICY_ALWAYS', 7, '7'])('C13 a renewal policy as %j: one value', (policy) => {
    expect(fromJson(Lease, { renewal_price_policy: policy }).renewalPricePolicy).toBe(7);
  });
  it('C13 unspecified: 0 and not absent', () => {
    expect(fromJson(Node, { status: 'unspecified' }).status).toBe(0);
  });

  const pay = [
    ['lease_id', '"5"'],
    ['node_address', '"hubnode1abc"'],
  ] as const;
  it('C41 attributes plain and in base64: one event, and a null value is no error', () => {
    const encoded = pay.map(([key, value]) => ({ key: btoa(key), value: btoa(value) }));
    const plain = pay.map(([key, value]) => ({ key, value }));
    const wanted = { leaseId: 5n, nodeAddress: 'hubnode1abc', payment: '' };
    expect(fromEvent(EventPay, plain)).toMatchObject(wanted);
    expect(fromEvent(EventPay, [...plain, { key: 'payment', value: null }])).toMatchObject(wanted);
    expect(fromEvent(EventPay, [...encoded, { key: btoa('payment'), value: null }])).toMatchObject(wanted);
  });

  it('C51 a log that is no UTF-8: kept, with the bytes replaced', () => {
    // code 5, then raw_log of two bytes of which one is none of UTF-8.
    const read = decodeBinary(TxResponse, Uint8Array.from([0x20, 5, 0x32, 2, 0xff, 0x41]));
    expect(read).toMatchObject({ code: 5, rawLog: '\ufffdA' });
  });

  it('C52 the zero time over REST and gRPC: unset', () => {
    const bytes = encodeBinary(Node, {});
    expect(Buffer.from(bytes).toString('hex')).toContain('8092b8c398feffffff01');
    expect(decodeBinary(Node, bytes).inactiveAt).toBeUndefined();
    expect(fromJson(Node, { inactive_at: '0001-01-01T00:00:00Z' }).inactiveAt).toBeUndefined();
  });

  it.each(['2026-01-01T00:00:28.652743928Z', '2026-01-01T00:00:28.600Z', '2026-01-01T00:00:28Z'])(
    'C53 %s: no digit lost through JSON and binary',
    (text) => {
      const read = fromJson(Node, { status_at: text });
      const again = decodeBinary(Node, encodeBinary(Node, read));
      expect(again).toEqual(read);
      expect(toGatewayJson(Node, again)).toContain(`"status_at":"${text}"`);
    },
  );
  it('C53 two times 1 ns apart: different', () => {
    const at = (text: string) => fromJson(Node, { status_at: text }).statusAt?.nanos ?? 0;
    expect(at('2026-01-01T00:00:28.652743929Z') - at('2026-01-01T00:00:28.652743928Z')).toBe(1);
  });

  it('C54 a decimal scaled on the wire and plain over REST: the same value', () => {
    const scaled = Uint8Array.from([0x12, 16, ...Buffer.from('2500000000000000')]);
    expect(decodeBinary(Price, scaled).baseValue).toBe('0.002500000000000000');
    expect(fromJson(Price, { base_value: '0.002500000000000000' }).baseValue).toBe('0.002500000000000000');
  });

  it('C55 9007199254740993: exact in ids and amounts, through binary and JSON', () => {
    const form = { id: past53, downloadBytes: String(past53) };
    const read = decodeBinary(BaseSession, encodeBinary(BaseSession, form));
    expect(read).toMatchObject(form);
    const text = toGatewayJson(BaseSession, read);
    expect(text).toContain('"id":"9007199254740993"');
    expect(fromJson(BaseSession, JSON.parse(text))).toEqual(read);
  });

  it('C56 a third type of session: kept raw with its type, the others read', () => {
    const table = querySessions.response;
    const known = { typeUrl: '/hub.node.v3.Session', value: decodeBinary(Session, new Uint8Array()) } as const;
    const third = { typeUrl: '/hub.other.v9.Session', raw: Uint8Array.from([8, 1]) };
    const bytes = encodeBinary(table, { sessions: [known, third, known] });
    const { sessions } = decodeBinary(table, bytes);
    expect(sessions).toEqual([known, third, known]);
    expect(Buffer.from(encodeBinary(table, { sessions })).equals(Buffer.from(bytes))).toBe(true);
  });

  it('C57 the id of a session: in its base, and nowhere else by type', () => {
    expectTypeOf<Session>().not.toHaveProperty('id');
    expectTypeOf<NonNullable<Session['baseSession']>>().toHaveProperty('id').toEqualTypeOf<bigint>();
    expect(fromJson(Session, { base_session: { id: '7' } }).baseSession?.id).toBe(7n);
  });

  it('C58 status 9: kept and written again', () => {
    const read = decodeBinary(Node, encodeBinary(Node, { status: 9 }));
    expect(read.status).toBe(9);
    expect(toGatewayJson(Node, read)).toContain('"status":9');
    expect(fromJson(Node, JSON.parse(toGatewayJson(Node, read))).status).toBe(9);
  });

  it.each([
    ['7200.5s', 7200n, 500_000_000, '7200.500s'],
    ['-1.5s', -1n, -500_000_000, '-1.500s'],
    ['0s', 0n, 0, '0s'],
    ['1h55m0s', 6900n, 0, '6900s'],
    ['168h0m0s', 604_800n, 0, '604800s'],
    ['-0.100626394s', 0n, -100_626_394, '-0.100626394s'],
  ])('C59 duration %s: one value, one sign', (text, seconds, nanos, printed) => {
    expect(readDuration(text)).toEqual({ seconds, nanos });
    expect(printDuration({ seconds, nanos })).toBe(printed);
  });

  it('C60 attributes of events: JSON texts, lists and empty texts too', () => {
    const attributes = [
      { key: 'node_address', value: '"hubnode1abc"' },
      { key: 'remote_addrs', value: '["a:1","[::1]:2"]' },
      { key: 'hourly_prices', value: '""' },
    ];
    expect(fromEvent(EventCreate, attributes)).toMatchObject({
      nodeAddress: 'hubnode1abc',
      remoteAddrs: ['a:1', '[::1]:2'],
      hourlyPrices: '',
    });
  });
});

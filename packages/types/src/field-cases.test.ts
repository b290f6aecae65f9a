import { describe, expect, expectTypeOf, it } from 'vitest';

import { EventPay } from './gen/forms/hub/lease/v1/events.js';
import { EventCreate } from './gen/forms/hub/node/v3/events.js';
import { Node } from './gen/forms/hub/node/v3/node.js';
import { Session } from './gen/forms/hub/node/v3/session.js';
import { querySessions } from './gen/methods/hub/session/v3/query-service.js';
import { BaseSession } from './gen/forms/hub/session/v3/session.js';
import { StatusTable } from './gen/forms/hub/types/v1/status.js';
import { Price } from './gen/forms/hub/types/v1/price.js';
import { Lease } from './gen/forms/hub/lease/v1/lease.js';
import { TxResponse } from './gen/forms/stack/base/abci/v1beta1/abci.js';
import { decodeBinary, encodeBinary } from './runtime/binary.js';
import { CodecError } from './runtime/codec-error.js';
import { enumLabel } from './runtime/enum.js';
import { fromEvent } from './runtime/event.js';
import { fromJson, toGatewayJson } from './runtime/json.js';
import { readNodeAnswer } from './runtime/node-info.js';
import { printPrice, readCoins, readConfigPrices, readPrice, readPrices } from './runtime/price-text.js';
import { printDuration, readDuration } from './runtime/time.js';

const past53 = 9007199254740993n;

/** Cases from the field, on the tables of the interface. */
describe('field cases', () => {
  it.each(['active', 'STATUS_ACTIVE', 1, '1'])('enum as %j: one value, the same as over gRPC', (status) => {
    expect(fromJson(Node, { status }).status).toBe(decodeBinary(Node, encodeBinary(Node, { status: 1 })).status);
  });
  it.each(['always', 'RENEWAL_PRICE_POLICY_ALWAYS', 7, '7'])('renewal policy as %j: one value', (policy) => {
    expect(fromJson(Lease, { renewal_price_policy: policy }).renewalPricePolicy).toBe(7);
  });
  it('enum unspecified: 0 and not absent', () => {
    expect(fromJson(Node, { status: 'unspecified' }).status).toBe(0);
  });

  const pay = [
    ['lease_id', '"5"'],
    ['node_address', '"hubnode1abc"'],
  ] as const;
  it('event attributes, plain or in base64: the same event, and a null value is accepted', () => {
    const encoded = pay.map(([key, value]) => ({ key: btoa(key), value: btoa(value) }));
    const plain = pay.map(([key, value]) => ({ key, value }));
    const wanted = { leaseId: 5n, nodeAddress: 'hubnode1abc', payment: '' };
    expect(fromEvent(EventPay, plain)).toMatchObject(wanted);
    expect(fromEvent(EventPay, [...plain, { key: 'payment', value: null }])).toMatchObject(wanted);
    expect(fromEvent(EventPay, [...encoded, { key: btoa('payment'), value: null }])).toMatchObject(wanted);
  });

  it('log with invalid UTF-8: kept, with the invalid bytes replaced', () => {
    // Code 5, then a raw_log of two bytes, one of which is invalid UTF-8.
    const read = decodeBinary(TxResponse, Uint8Array.from([0x20, 5, 0x32, 2, 0xff, 0x41]));
    expect(read).toMatchObject({ code: 5, rawLog: '\ufffdA' });
  });

  it('zero time over REST and gRPC: unset', () => {
    const bytes = encodeBinary(Node, {});
    expect(Buffer.from(bytes).toString('hex')).toContain('8092b8c398feffffff01');
    expect(decodeBinary(Node, bytes).inactiveAt).toBeUndefined();
    expect(fromJson(Node, { inactive_at: '0001-01-01T00:00:00Z' }).inactiveAt).toBeUndefined();
  });

  it.each(['2026-01-01T00:00:28.652743928Z', '2026-01-01T00:00:28.600Z', '2026-01-01T00:00:28Z'])(
    'time %s: no digit lost through JSON and binary',
    (text) => {
      const read = fromJson(Node, { status_at: text });
      const again = decodeBinary(Node, encodeBinary(Node, read));
      expect(again).toEqual(read);
      expect(toGatewayJson(Node, again)).toContain(`"status_at":"${text}"`);
    },
  );
  it('times 1 ns apart: different', () => {
    const at = (text: string) => fromJson(Node, { status_at: text }).statusAt?.nanos ?? 0;
    expect(at('2026-01-01T00:00:28.652743929Z') - at('2026-01-01T00:00:28.652743928Z')).toBe(1);
  });

  it('decimal, scaled on the wire and plain over REST: the same value', () => {
    const scaled = Uint8Array.from([0x12, 16, ...Buffer.from('2500000000000000')]);
    expect(decodeBinary(Price, scaled).baseValue).toBe('0.002500000000000000');
    expect(fromJson(Price, { base_value: '0.002500000000000000' }).baseValue).toBe('0.002500000000000000');
  });

  it('integer 9007199254740993: exact in ids and amounts, through binary and JSON', () => {
    const form = { id: past53, downloadBytes: String(past53) };
    const read = decodeBinary(BaseSession, encodeBinary(BaseSession, form));
    expect(read).toMatchObject(form);
    const text = toGatewayJson(BaseSession, read);
    expect(text).toContain('"id":"9007199254740993"');
    expect(fromJson(BaseSession, JSON.parse(text))).toEqual(read);
  });

  it('unknown type of session: kept raw with its type, the others decoded', () => {
    const table = querySessions.response;
    const known = { typeUrl: '/hub.node.v3.Session', value: decodeBinary(Session, new Uint8Array()) } as const;
    const third = { typeUrl: '/hub.other.v9.Session', raw: Uint8Array.from([8, 1]) };
    const bytes = encodeBinary(table, { sessions: [known, third, known] });
    const { sessions } = decodeBinary(table, bytes);
    expect(sessions).toEqual([known, third, known]);
    expect(Buffer.from(encodeBinary(table, { sessions })).equals(Buffer.from(bytes))).toBe(true);
  });

  it('id of a session: decoded in its base, and a type error elsewhere', () => {
    expectTypeOf<Session>().not.toHaveProperty('id');
    expectTypeOf<NonNullable<Session['baseSession']>>().toHaveProperty('id').toEqualTypeOf<bigint>();
    expect(fromJson(Session, { base_session: { id: '7' } }).baseSession?.id).toBe(7n);
  });

  it('unknown status 9: kept, written again and shown as unknown(9)', () => {
    expect([9, -1, 'dormant', 1, 'active', 'STATUS_INACTIVE'].map((value) => enumLabel(StatusTable, value))).toEqual([
      'unknown(9)',
      'unknown(-1)',
      'unknown(dormant)',
      'active',
      'active',
      'inactive',
    ]);
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
  ])('duration %s: one value, one sign', (text, seconds, nanos, printed) => {
    expect(readDuration(text)).toEqual({ seconds, nanos });
    expect(printDuration({ seconds, nanos })).toBe(printed);
  });

  it('event attributes: JSON texts, lists and empty texts are decoded', () => {
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

  const price = { denom: 'udvpn', baseValue: '0.002500000000000000', quoteValue: '12500000' };
  const [atom, osmo] = [
    'ibc/31FEE1A2A9F9C01113F90BD0BBCCE8FD6BBB8585FAF109A2101827DD1D5B95B8',
    'ibc/A8C2D23A1E6F95DA4E48BA349667E322BD7A6C996D8A4AAE8BA72E190F3D1477',
  ];

  it('prices from an event, a configuration and older releases: three parsers, each with one meaning of the comma', () => {
    expect(readPrice('udvpn:0.0025,12500000')).toEqual(price);
    expect(readPrices(`udvpn:0.0025,12500000;${atom}:0,7`)).toEqual([
      price,
      { denom: atom, baseValue: '0.000000000000000000', quoteValue: '7' },
    ]);
    expect(readConfigPrices('udvpn:0.002_5,12_500_000')).toEqual([price]);
    expect(readCoins(`52573${atom},9204${osmo}`)).toEqual([
      { denom: atom, amount: '52573' },
      { denom: osmo, amount: '9204' },
    ]);
    expect([readPrices(''), readConfigPrices(''), readCoins('')]).toEqual([[], [], []]);
    expect(readPrice('factory/sent1/a:b:1.5,2')).toMatchObject({ denom: 'factory/sent1/a:b', quoteValue: '2' });
    expect(readPrice(printPrice(price))).toEqual(price);
  });

  it.each<[string, (text: string) => unknown, string]>([
    ['coins read as a price', readPrice, `52573${atom},9204${osmo}`],
    ['a price read as coins', readCoins, 'udvpn:0.0025,12500000'],
    ['two prices read as one', readPrice, 'udvpn:1,2;uatom:3,4'],
    ['an underscore in an event', readPrice, 'udvpn:0.0025,12_500_000'],
    ['an underscore that parts nothing', readConfigPrices, 'udvpn:1,2_'],
    ['a price without its second value', readPrice, 'udvpn:0.0025'],
  ])('price %s: refused with the text', (_, read, text) => {
    expect(() => read(text)).toThrow(CodecError);
    expect(() => read(text)).toThrow(JSON.stringify(text.split(/[,;]/)[0]).slice(1, 8));
  });

  const blank = { moniker: undefined, serviceType: undefined, peers: undefined, version: undefined };
  it.each<[string, unknown, object]>([
    [
      'older metadata, speeds in an object',
      {
        success: true,
        result: {
          address: 'sentnode1a',
          moniker: 'a',
          type: 1,
          peers: 3,
          version: '0.7.1',
          bandwidth: { download: 1_250_000, upload: 2.5 },
          qos: { max_peers: 250 },
        },
      },
      {
        ok: true,
        info: {
          address: 'sentnode1a',
          moniker: 'a',
          serviceType: '1',
          peers: 3,
          version: '0.7.1',
          downloadAsReported: 1_250_000n,
          uploadAsReported: 2n,
          unknown: { qos: { max_peers: 250 } },
        },
      },
    ],
    [
      'newer metadata, numbers as texts',
      {
        success: true,
        result: {
          addr: 'sentnode1a',
          downlink: '18446744073709551617',
          uplink: '7',
          peers: '3',
          service_type: 'wireguard',
          version: { tag: 'v8.3.1', commit: 'abc' },
        },
      },
      {
        ok: true,
        info: {
          ...blank,
          address: 'sentnode1a',
          serviceType: 'wireguard',
          peers: 3,
          version: 'v8.3.1',
          downloadAsReported: 18446744073709551617n,
          uploadAsReported: 7n,
          unknown: {},
        },
      },
    ],
    [
      'a result of no known member',
      { result: { handshake_dns: true, peers: 'many' } },
      {
        ok: true,
        info: {
          ...blank,
          address: undefined,
          downloadAsReported: undefined,
          uploadAsReported: undefined,
          unknown: { handshake_dns: true, peers: 'many' },
        },
      },
    ],
    [
      'an error as an object',
      { success: false, error: { code: 4, message: 'no' } },
      { ok: false, code: 4, message: 'no' },
    ],
    ['an error as a text', { success: false, error: 'no' }, { ok: false, code: undefined, message: 'no' }],
    ['a list instead of an object', [1], { ok: false, code: undefined, message: 'no object but [1]' }],
  ])('node response %s: decoded, unknown members kept, speeds as reported', (_, json, answer) => {
    expect(readNodeAnswer(json)).toEqual(answer);
  });
});

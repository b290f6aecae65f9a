import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../test/seeded-random.js';
import { publicNaming } from '../naming/public.js';
import { type EventQuery, eventQuery, parseEventQuery } from './event-query.js';

describe('event query', () => {
  it.each<[EventQuery, string]>([
    [eventQuery('NewBlock'), "tm.event='NewBlock'"],
    [
      eventQuery('Tx').is('message.action', '/hub.node.v3.MsgUpdateNodeStatusRequest'),
      "tm.event='Tx' AND message.action = '/sentinel.node.v3.MsgUpdateNodeStatusRequest'",
    ],
    [
      eventQuery('Tx').field('hub.node.v3.EventUpdateStatus', 'node_address', 'sentnode1kw20'),
      `tm.event='Tx' AND sentinel.node.v3.EventUpdateStatus.node_address = '"sentnode1kw20"'`,
    ],
    [
      eventQuery('NewBlock').field('hub.session.v3.EventEnd', 'session_id', 12n),
      `tm.event='NewBlock' AND sentinel.session.v3.EventEnd.session_id = '"12"'`,
    ],
    [eventQuery('Tx').field('hub.a.EventA', 'on', true), "tm.event='Tx' AND sentinel.a.EventA.on = 'true'"],
    [
      eventQuery('Tx').height('>', 902_000n).contains('tx.fee', 'udvpn').exists('hub.lease.v1.EventPay.lease_id'),
      "tm.event='Tx' AND tx.height > 902000 AND tx.fee CONTAINS 'udvpn' AND sentinel.lease.v1.EventPay.lease_id EXISTS",
    ],
  ])('%s: written in wire names, and read back', (query, wire) => {
    expect(query.toWire(publicNaming)).toBe(wire);
    expect(parseEventQuery(query.toString())).toEqual(query);
  });

  // The recorded queries that halted a node, and similar ones.
  it.each([
    "tm.event='Tx' AND coin_spent.spender > TIME 2025-01-31T23:59:59Z",
    "tm.event='Tx' AND coin_spent.spender = TIME 2025-01-31T23:59:59Z",
    "tm.event='Tx' AND coin_spent.spender=DATE 2025-01-31",
    "tm.event='Tx' AND hub.session.v3.EventUpdateDetails.session_id > 100",
    "tm.event='Tx' AND a.b = 5",
    "tm.event='Tx' AND a.b<'5'",
    "tm.event='Tx' AND tx.height = DATE 2025-01-31",
    "tm.event='NewBlock' AND tx.height > 5",
    "tm.event='Tx' and tx.height > 05",
    "tm.event='Tx' AND tx.height > -1",
    "a.b='1'",
    "tm.event='Vote'",
    'tm.event EXISTS',
    "tm.event CONTAINS 'Tx'",
    "tm.event='Tx' AND tm.event='NewBlock'",
    "tm.event='Tx' OR tm.event='NewBlock'",
    " tm.event='Tx'",
    "tm.event='Tx' ",
    "tm.event='Tx'AND a.b='1'",
    "tm.event='Tx' AND ",
    "tm.event='Tx'\nAND a.b='1'",
    "tm.event='Tx' AND a.b='it''s'",
    'tm.event="Tx"',
    "(tm.event='Tx')",
    "tm.event='Tx' AND a!='1'",
    '',
  ])('%j: refused, and the error lists the allowed forms', (text) => {
    expect(() => parseEventQuery(text)).toThrow(/not allowed; a subscription is tm\.event=/);
  });

  it('a key or a text that would end the query: refused when it is added', () => {
    const tx = eventQuery('Tx');
    for (const key of ['', 'a', 'a b.c', "a.'b", 'a.b>', 'tm.event', 'a..b', 'a.b AND x.y'])
      expect(() => tx.exists(key), key).toThrow('is not allowed');
    for (const text of ["' AND a.b > TIME 2025-01-01", 'a\nb', '\0'])
      expect(() => tx.is('a.b', text), text).toThrow('is not allowed');
    expect(() => tx.field('hub.a.B', 'c', "it's")).toThrow('is not allowed');
    expect(() => tx.height('>', -1n)).toThrow('is not allowed');
    expect(() => (eventQuery('NewBlock') as unknown as EventQuery<'Tx'>).height('>', 1n)).toThrow('is not allowed');
    expect(() => eventQuery("Tx' AND a.b > 1 AND c.d='" as 'Tx')).toThrow('is not allowed');
    // @ts-expect-error blocks have no tx.height
    expect(() => eventQuery('NewBlock').height('=', 1n)).toThrow();
  });

  it('more than 512 bytes: limit', () => {
    expect(() => eventQuery('Tx').is('a.b', 'é'.repeat(250)).toWire(publicNaming)).toThrow('at most 512');
  });

  it('random texts: accepted ones contain no comparison except for tx.height', () => {
    const random = seededRandom(3);
    const parts = [
      "tm.event='Tx'",
      ' AND ',
      "a.b='1'",
      'a.b>1',
      'tx.height',
      '>=',
      '5',
      'TIME 2025-01-01T00:00:00Z',
      ' ',
      "'",
      'EXISTS',
      "CONTAINS 'x'",
      'a.b',
      '=',
    ];
    let accepted = 0;
    for (let i = 0; i < 50_000; i++) {
      const count = 1 + Math.floor(random() * 8);
      const text = Array.from({ length: count }, () => parts[Math.floor(random() * parts.length)]).join('');
      let query: EventQuery;
      try {
        query = parseEventQuery(text);
      } catch {
        continue;
      }
      accepted++;
      const bare = query
        .toWire(publicNaming)
        .replace(/'[^']*'/g, "''")
        .replace(/tx\.height (?:=|<=|>=|<|>) \d+/g, '');
      expect(bare, text).not.toMatch(/[<>]|TIME|DATE|= *\d/);
    }
    expect(accepted).toBeGreaterThan(300);
  });
});

import { describe, expect, it } from 'vitest';
import { messageByName, messageNames } from '../gen/registry.js';
import { fullForm } from '../../test/full-form.js';
import { decodeBinary, encodeBinary } from './binary.js';
import { decodeBinaryFast } from './compile-decoder.js';
import { defineTable } from './define-table.js';
import type { MessageTable } from './table.js';

type Decode = (table: MessageTable, bytes: Uint8Array) => unknown;

function outcome(decode: Decode, table: MessageTable, bytes: Uint8Array): unknown {
  try {
    return decode(table, bytes);
  } catch (error) {
    return (error as Error).message;
  }
}

const tables = messageNames.map((name) => messageByName(name) as MessageTable);

describe('decodeBinaryFast', () => {
  it('a full form of every message: the same result as the table walk', () => {
    for (const table of tables) {
      const bytes = encodeBinary(table, fullForm(table));
      expect(decodeBinaryFast(table, bytes), table.name).toStrictEqual(decodeBinary(table, bytes));
    }
  });

  it('no bytes: the default form of every message', () => {
    for (const table of tables) {
      const none = new Uint8Array(0);
      expect(decodeBinaryFast(table, none), table.name).toStrictEqual(decodeBinary(table, none));
    }
  });

  it('bytes truncated or damaged at any position: the form or the error of the table walk', () => {
    for (const table of tables.filter(({ name }) => /^hub\.(node|lease|session)\.v\d\./.test(name))) {
      const bytes = encodeBinary(table, fullForm(table)).slice(0, 200);
      for (let at = 0; at < bytes.length; at++) {
        const spoilt = Uint8Array.from(bytes);
        spoilt[at] = (bytes[at] as number) ^ (1 << (at % 8));
        for (const wrong of [bytes.subarray(0, at), spoilt]) {
          expect(outcome(decodeBinaryFast, table, wrong)).toStrictEqual(outcome(decodeBinary, table, wrong));
        }
      }
    }
  });

  it.each([
    '00',
    '01',
    '7f',
    '8001',
    'ffffff7f',
    'ffffffff07',
    'ffffffff0f',
    '8080808010',
    'ffffffffffffff7f',
    'ffffffffffffffff7f',
    'ffffffffffffffffff01',
    'ffffffffffffffffff02',
    'ffffffffffffffffffff01',
    'ff',
    '8080808080',
  ])('varint %s in every kind that has one', (varint) => {
    const table = defineTable(
      'hub.test.v1.Numbers',
      'a int64,b uint64,c int32,d uint32,e enum,f bool,g sint64*',
      () => [{ name: 'hub.test.v1.None', values: {} }],
    );
    for (let no = 1; no <= 7; no++) {
      const bytes = Buffer.concat([Buffer.from([no << 3]), Buffer.from(varint, 'hex')]);
      expect(outcome(decodeBinaryFast, table, bytes)).toStrictEqual(outcome(decodeBinary, table, bytes));
    }
  });

  it.each(['', 'a', 'ä', '\ufeffBOM', 'twelve chars', 'thirteen char', '二'.repeat(20), 'x'.repeat(300)])(
    'text %j is read unchanged, also the second time',
    (text) => {
      const table = defineTable<{ readonly text: string }>('hub.test.v1.Text', 'text');
      const bytes = encodeBinary(table, { text });
      expect([decodeBinaryFast(table, bytes).text, decodeBinaryFast(table, bytes).text]).toEqual([text, text]);
    },
  );

  it.each([['ff'], ['c0af'], ['e28261'], ['f0908061'], ['eda080']])(
    'invalid UTF-8 %s: the same as the table walk',
    (hex) => {
      const table = defineTable('hub.test.v1.Text', 'text');
      const wrong = Buffer.from(hex, 'hex');
      for (const tail of ['', 'and a longer text behind']) {
        const text = Buffer.concat([wrong, Buffer.from(tail)]);
        const bytes = Buffer.concat([Buffer.from([10, text.length]), text]);
        expect(decodeBinaryFast(table, bytes)).toStrictEqual(decodeBinary(table, bytes));
      }
    },
  );
});

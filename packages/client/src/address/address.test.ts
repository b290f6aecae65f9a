import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HubError } from '../error.js';
import { readAddress, writeAddress } from './bech32.js';
import { convertAddress, withPrefix } from './convert.js';

const account = 'sent1kw20mvcnpctxdkrk5s98suamp2kv3zv6u6pk42';

describe('bech32', () => {
  // Vectors from BIP 173.
  it.each([
    'A12UEL5L',
    'a12uel5l',
    'an83characterlonghumanreadablepartthatcontainsthenumber1andtheexcludedcharactersbio1tt5tgs',
    'abcdef1qpzry9x8gf2tvdw0s3jn54khce6mua7lmqqqxw',
    'split1checkupstagehandshakeupstreamerranterredcaperred2y9e3w',
    '?1ezyfcl',
  ])('%s: is read and written back unchanged', (text) => {
    expect(writeAddress(readAddress(text))).toBe(text.toLowerCase());
  });

  it.each([
    ['pzry9x0s0muk', 'a prefix, the digit 1'],
    ['1pzry9x0s0muk', 'a prefix, the digit 1'],
    ['x1b4n0q5v', '"b" is no letter'],
    ['li1dgmt3', 'at least six more'],
    ['A1G7SGD8', 'the checksum is wrong'],
    ['10a06t8', 'a prefix, the digit 1'],
    ['A12uEL5L', 'capitals and small letters'],
    ['an84characterslonghumanreadablepartthatcontainsthenumber1andtheexcludedcharactersbio1569pvx', 'at most 90'],
  ])('%s: refused, %s', (text, what) => {
    expect(() => readAddress(text)).toThrow(what);
    expect(() => readAddress(text)).toThrow(HubError);
  });

  it('any bytes under any prefix: survive a round trip', () => {
    const prefix = fc.stringMatching(/^[a-z]{1,12}$/);
    fc.assert(
      fc.property(prefix, fc.uint8Array({ minLength: 1, maxLength: 32 }), (name, bytes) => {
        expect(readAddress(writeAddress({ prefix: name, bytes }))).toEqual({ prefix: name, bytes });
      }),
    );
  });

  it('one changed letter at any position: is detected', () => {
    fc.assert(
      fc.property(fc.nat(37), fc.constantFrom(...Array.from('qpzry9x8gf2tvdw0s3jn54khce6mua7l')), (at, letter) => {
        const text = writeAddress({ prefix: 'sent', bytes: new Uint8Array(20).fill(7) });
        const place = 5 + at;
        fc.pre(text[place] !== letter);
        expect(() => readAddress(text.slice(0, place) + letter + text.slice(place + 1))).toThrow('checksum');
      }),
    );
  });
});

describe('convertAddress', () => {
  it('account, node, provider and validator of one key: each converts to each other kind', () => {
    const { bytes } = readAddress(
      withPrefix(writeAddress({ prefix: 'sent', bytes: new Uint8Array(20).fill(9) }), 'sent'),
    );
    const forms = { account: 'sent', node: 'sentnode', provider: 'sentprov', validator: 'sentvaloper' } as const;
    for (const from of Object.values(forms)) {
      for (const [kind, prefix] of Object.entries(forms)) {
        const converted = convertAddress(writeAddress({ prefix: from, bytes }), kind as keyof typeof forms);
        expect(readAddress(converted)).toEqual({ prefix, bytes });
      }
    }
  });

  it('an address with a typing error: is refused and never converted', () => {
    expect(() => convertAddress(`${account.slice(0, -1)}x`, 'node')).toThrow('the checksum is wrong');
  });
});

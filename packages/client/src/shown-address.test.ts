import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HubError } from './error.js';
import { placeText } from './place.js';
import { shownAddress } from './shown-address.js';

test.each([
  ['127.0.0.1:9090', '127.0.0.1:9090'],
  ['[::1]:9090', '[::1]:9090'],
  ['https://node.example:443/', 'https://node.example:443'],
  ['http://127.0.0.1:9/v1/KEY', 'http://127.0.0.1:9'],
  ['HTTPS://user:SECRET@node.example/rest?apikey=SECRET#SECRET', 'https://node.example'],
  ['wss://[2001:db8::1]:26657/SECRET', 'wss://[2001:db8::1]:26657'],
  ['http://user:p@SECRET@node.example', 'http://node.example'],
  ['http://user:SEC/RET@node.example', 'http://…'],
  ['http://user:SEC RET', 'http://…'],
  ['hooks.example?key=SECRET', 'hooks.example'],
  ['SECRET with\nlines', '…'],
  ['', '…'],
])('shown address: %j is %j', (address, shown) => {
  expect(shownAddress(address)).toBe(shown);
});

test('shown address: no text after the host is ever shown', () => {
  const part = fc.stringMatching(/^[A-Za-z0-9%._~!$&'()*+,;=:-]{1,20}$/).map((text) => `Zq${text}`);
  fc.assert(
    fc.property(part, part, part, part, (user, password, path, query) => {
      const shown = shownAddress(`https://${user}:${password}@node.example:26657/${path}?k=${query}`);
      expect(shown).toBe('https://node.example:26657');
    }),
  );
});

test('shown address: an error has it in its text and in its address', () => {
  const place = { transport: 'rpc', address: 'http://u:SECRET@h:1/SECRET' } as const;
  const error = new HubError({ code: 'timeout', message: placeText(place), ...place });
  expect([error.message, error.address]).toEqual(['[timeout] request over rpc at http://h:1', 'http://h:1']);
});

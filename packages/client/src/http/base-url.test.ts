import { expect, test } from 'vitest';
import { HubError } from '../error.js';
import { baseUrl } from './base-url.js';

test.each([
  ['http://user:SECRET@127.0.0.1:1317', 'rest address http://127.0.0.1:1317: a URL with a user or password'],
  ['https://SECRET@node.example', 'rest address https://node.example: a URL with a user or password'],
  ['http://127.0.0.1:1317/?apikey=SECRET', 'rest address http://127.0.0.1:1317: a URL with a query or fragment'],
  ['http://127.0.0.1:1317/#SECRET', 'a URL with a query or fragment'],
  ['htps://user:SECRET@host/SECRET', 'rest address htps://host: a URL such as http://127.0.0.1:1317 is expected'],
  ['http://us er:SECRET@@:host/SECRET', 'rest address http://…: a URL such as'],
])('base URL: %s is rejected, and possible secrets are not in the message', (address, message) => {
  const call = (): string => baseUrl(address, 'rest');
  expect(call).toThrow(HubError);
  expect(call).toThrow(message);
  expect(call).not.toThrow(/SECRET/);
});

test('base URL: a path is preserved without its trailing slash', () => {
  expect(baseUrl('http://127.0.0.1:1317/v1/key/', 'rest')).toBe('http://127.0.0.1:1317/v1/key');
});

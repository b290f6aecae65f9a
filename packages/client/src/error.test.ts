import { errorCodes } from '@hubwatch/types/gen/errors';
import { expect, test, vi } from 'vitest';
import { type ErrorCode, errorText, HubError } from './error.js';
import { decodeError } from './message-error.js';

test('HubError: retryable if the same read may succeed when repeated', () => {
  const retryable = (Object.keys(errorCodes) as ErrorCode[]).filter(
    (code) => new HubError({ code, message: '' }).retryable,
  );
  expect(retryable).toEqual(['http', 'rate_limited', 'refused', 'starting', 'timeout', 'unavailable']);
});

test('HubError: instanceof accepts an error from another copy of the package, and nothing else', async () => {
  vi.resetModules();
  const copy = await import('./error.js');
  expect(copy.HubError).not.toBe(HubError);
  const foreign = new copy.HubError({ code: 'timeout', message: 'late' });
  expect(foreign).toBeInstanceOf(HubError);
  expect(new HubError({ code: 'timeout', message: 'late' })).toBeInstanceOf(copy.HubError);
  for (const other of [new Error('HubError'), { name: 'HubError', code: 'timeout' }, null, undefined, 'HubError'])
    expect(other instanceof HubError).toBe(false);
  class Derived extends HubError {}
  expect(foreign instanceof Derived).toBe(false);
  expect(new Derived({ code: 'timeout', message: 'late' }) instanceof HubError).toBe(true);
});

test('HubError: the message begins with the code, and a message that contains it does not repeat it', () => {
  const inner = new HubError({ code: 'refused', message: 'nobody listens' });
  expect([inner.message, inner.rawMessage, String(inner)]).toEqual([
    '[refused] nobody listens',
    'nobody listens',
    'HubError: [refused] nobody listens',
  ]);
  expect([errorText(inner), errorText(new Error('x')), errorText(7)]).toEqual(['nobody listens', 'x', '7']);
  const place = { transport: 'rpc', address: 'http://h:1', method: 'status' } as const;
  expect(decodeError(place, inner).message).toBe(
    '[decode] status over rpc at http://h:1: the answer cannot be read: nobody listens',
  );
});

test('HubError.from: returns a HubError unchanged, maps aborts, and wraps everything else', () => {
  const own = new HubError({ code: 'not_found', message: 'no such node' });
  expect(HubError.from(own)).toBe(own);
  const aborted = AbortSignal.abort().reason as unknown;
  expect(HubError.from(aborted)).toMatchObject({ code: 'cancelled', cause: aborted });
  expect(HubError.from(new DOMException('late', 'TimeoutError'))).toMatchObject({
    code: 'timeout',
    rawMessage: 'late',
  });
  const broken = new TypeError('x is not a function');
  expect(HubError.from(broken)).toMatchObject({ code: 'unknown', rawMessage: 'x is not a function', cause: broken });
  expect(HubError.from('text')).toMatchObject({ code: 'unknown', rawMessage: 'text', cause: 'text' });
});

import { errorCodes } from '@hubwatch/types/gen/errors';
import { expect, test } from 'vitest';
import { type ErrorCode, HubError } from './error.js';

test('HubError: retryable where the same read may succeed when it is asked again', () => {
  const retryable = (Object.keys(errorCodes) as ErrorCode[]).filter(
    (code) => new HubError({ code, message: '' }).retryable,
  );
  expect(retryable).toEqual(['http', 'rate_limited', 'refused', 'starting', 'timeout', 'unavailable']);
});

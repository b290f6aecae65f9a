import { expect, test } from 'vitest';
import { debianVersion } from './control.js';

test.each([
  ['0.1.0', '0.1.0'],
  ['1.0.0-rc.1', '1.0.0~rc.1'],
  ['1.0.0-beta-2', '1.0.0~beta-2'],
])('debianVersion: %s becomes %s', (version, expected) => {
  expect(debianVersion(version)).toBe(expected);
});

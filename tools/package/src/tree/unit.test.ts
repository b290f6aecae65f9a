import { expect, test } from 'vitest';
import { packagedUnit } from './unit.js';

test('packagedUnit: runs the packaged program and names its manual page', () => {
  const unit = packagedUnit();
  expect(unit).toMatch(/^ExecStart=\/usr\/bin\/hubwatch run --config \/etc\/hubwatch\/hubwatch\.yml$/m);
  expect(unit).toMatch(/^Documentation=man:hubwatch\(1\) file:/m);
  expect(unit).toMatch(/^ConditionPathExists=\/etc\/hubwatch\/hubwatch\.yml$/m);
});

import { expect, test } from 'vitest';
import { docFigures } from './doc-figures.js';

test('bundle sizes in the pages: equal the measured sizes within 2 %; run "npm run bench -- doc-figures" to update them', async () => {
  const figures = await docFigures();
  expect(figures.length).toBeGreaterThan(2);
  const wrong = figures.filter(
    // The pages show a tenth of a kB; compressors in other releases of Node differ by a few bytes.
    ({ said, bytes }) => bytes === undefined || Math.abs(Number.parseFloat(said) - bytes / 1000) > 0.1 + bytes / 50_000,
  );
  expect(wrong).toEqual([]);
});

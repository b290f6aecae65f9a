import { expect, test } from 'vitest';
import { docFigures } from './doc-figures.js';

test('bundle sizes in the pages: what is measured, within 2 %; "npm run bench -- doc-figures" writes them', async () => {
  const figures = await docFigures();
  expect(figures.length).toBeGreaterThan(2);
  const wrong = figures.filter(
    // A tenth of a kB is what the pages show; compressors of other releases of Node differ by some bytes.
    ({ said, bytes }) => bytes === undefined || Math.abs(Number.parseFloat(said) - bytes / 1000) > 0.1 + bytes / 50_000,
  );
  expect(wrong).toEqual([]);
});

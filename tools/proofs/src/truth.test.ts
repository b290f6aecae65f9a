import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { askAll, truthTable } from './truth.js';

const page = fileURLToPath(new URL('../../../docs/truth.md', import.meta.url));

it("truth: no question is answered wrongly, and the page shows this run's table", async () => {
  const rows = await askAll();
  expect(rows.flatMap(({ wrong }) => wrong)).toEqual([]);
  expect(readFileSync(page, 'utf8')).toContain(truthTable(rows).join('\n'));
});

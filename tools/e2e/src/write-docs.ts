import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { apiReports } from './api-report.js';
import { generatedDocs } from './docs.js';

const root = resolve(import.meta.dirname, '../../..');
for (const [path, text] of [...(await generatedDocs()), ...apiReports()]) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
  process.stdout.write(`wrote ${path}\n`);
}

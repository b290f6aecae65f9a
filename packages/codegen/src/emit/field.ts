import { readFileSync } from 'node:fs';
import type { Emitter } from './emitter.js';
import { generatedHeader } from './source-file.js';

// The sources are part of the package, so that the path holds for the built file too.
const source = new URL('../../src/model/field.ts', import.meta.url);

/** The shape of a field, as the model of the generator declares it: one declaration for the generator and for readers of tables. */
export const field: Emitter = {
  name: 'field',
  emit: () => [{ path: 'field.ts', text: `${generatedHeader}\n${readFileSync(source, 'utf8')}` }],
};

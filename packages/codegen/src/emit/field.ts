import { readFileSync } from 'node:fs';
import type { Emitter } from './emitter.js';
import { generatedHeader } from './source-file.js';

// The package includes its sources, so the path is also valid for the built file.
const source = new URL('../../src/model/field.ts', import.meta.url);

/** Emits the field shape types from the generator's own model, so that generator and table readers share one declaration. */
export const field: Emitter = {
  name: 'field',
  emit: () => [{ path: 'field.ts', text: `${generatedHeader}\n${readFileSync(source, 'utf8')}` }],
};

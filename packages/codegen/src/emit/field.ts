import { readFileSync } from 'node:fs';
import type { Emitter } from './emitter.js';
import { generatedHeader } from './source-file.js';

// The sources are part of the package, so the path is also valid for the built file.
const source = new URL('../../src/model/field.ts', import.meta.url);

/** Emits the shape of a field from the model of the generator, so that generator and table readers use one declaration. */
export const field: Emitter = {
  name: 'field',
  emit: () => [{ path: 'field.ts', text: `${generatedHeader}\n${readFileSync(source, 'utf8')}` }],
};

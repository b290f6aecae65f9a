import type { Emitter } from './emitter.js';
import { quote, SourceFile } from './source-file.js';

/** The closed failure codes with what each means. */
export const errorCodes: Emitter = {
  name: 'errors',
  emit({ model }) {
    const source = new SourceFile('errors.ts');
    source.line('/** Failure codes, the same over every transport: what each means and what a caller can do. */');
    source.line('export const errorCodes = {');
    for (const { code, means, do: advice } of model.errorCodes) {
      source.line(`  ${code}: {`, `    means: ${quote(means)},`, `    advice: ${quote(advice)},`, '  },');
    }
    source.line('} as const;', '', 'export type ErrorCode = keyof typeof errorCodes;');
    return [{ path: source.path, text: source.render() }];
  },
};

import type { Emitter } from './emitter.js';
import { memberName, quote } from './printer.js';
import { SourceFile } from './source-file.js';

/** The closed failure codes: the meaning of each, the advice for callers, and which reads may be retried. */
export const errorCodes: Emitter = {
  name: 'errors',
  emit({ model }) {
    if (model.errorCodes.length === 0) return [];
    const source = new SourceFile('errors.ts');
    source.line('/** Failure codes, the same over every transport: what each means and what a caller can do. */');
    source.line('export const errorCodes = {');
    for (const { code, means, do: advice } of model.errorCodes) {
      source.line(`  ${memberName(code)}: {`, `    means: ${quote(means)},`, `    advice: ${quote(advice)},`, '  },');
    }
    const retryable = model.errorCodes.filter((code) => code.retryable);
    source.line(
      '} as const;',
      '',
      'export type ErrorCode = keyof typeof errorCodes;',
      '',
      // Separate from the texts, so that a client that uses only codes need not include them.
      '/** Codes after which the same read may be asked again as it is. Of a broadcast they say nothing. */',
      'export const retryableErrorCodes: readonly ErrorCode[] = [',
      ...retryable.map(({ code }) => `  ${quote(code)},`),
      '];',
    );
    return [{ path: source.path, text: source.render() }];
  },
};

import { CodegenError } from '../codegen-error.js';
import { checkSiblings, shown } from '../load/check-path.js';
import type { EmitInput, EmittedFile, Emitter } from './emitter.js';

/**
 * Runs the emitters and returns all files by path.
 *
 * @throws CodegenError if two emitters write the same file, if a file is a folder of another one, or if one is outside
 * the output
 */
export async function emitAll(emitters: readonly Emitter[], input: EmitInput): Promise<EmittedFile[]> {
  const made = await Promise.all(
    emitters.map(async (emitter) => (await emitter.emit(input)).map((file) => ({ ...file, by: emitter.name }))),
  );
  const files = made.flat().sort((a, b) => (a.path < b.path ? -1 : 1));
  for (const [index, { path, by }] of files.entries()) {
    const outside =
      path.startsWith('/') || path.includes('\\') || path.split('/').some((segment) => /^\.*$/.test(segment));
    if (outside) throw new CodegenError(`${shown(path)} (emitter ${by}) is no path below the output folder`);
    const before = files[index - 1];
    if (before?.path === path) {
      throw new CodegenError(
        `two things of the proto files would be written to ${path} (emitters ${before.by} and ${by}); rename one of them`,
      );
    }
  }
  checkSiblings(files.map(({ path }) => path));
  return files.map(({ path, text }) => ({ path, text }));
}

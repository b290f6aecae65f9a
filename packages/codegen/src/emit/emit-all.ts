import { CodegenError } from '../codegen-error.js';
import type { EmitInput, EmittedFile, Emitter } from './emitter.js';

/** Runs the emitters and gives all files by path. No two emitters may write the same one. */
export async function emitAll(emitters: readonly Emitter[], input: EmitInput): Promise<EmittedFile[]> {
  const made = await Promise.all(
    emitters.map(async (emitter) => (await emitter.emit(input)).map((file) => ({ ...file, by: emitter.name }))),
  );
  const files = made.flat().sort((a, b) => (a.path < b.path ? -1 : 1));
  const doubled = files.find((file, index) => files[index - 1]?.path === file.path);
  if (doubled)
    throw new CodegenError(
      `two things of the proto files would be written to ${doubled.path} (emitter ${doubled.by}); rename one of them`,
    );
  return files.map(({ path, text }) => ({ path, text }));
}

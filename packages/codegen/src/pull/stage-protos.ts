import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import type { FileDescriptorSet } from '@bufbuild/protobuf/wkt';

import { CodegenError } from '../codegen-error.js';
import { wireFactsOf } from '../load/wire-facts.js';
import { listFiles } from '../list-files.js';
import { compileProtos } from '../load/compile-protos.js';
import { link } from '../load/link.js';
import type { Project } from '../project/project.js';

/**
 * Compiles a copy of the proto folders of a project with new files in the first one. Checks that the new files have the
 * same meaning as the descriptors of the node.
 *
 * @param texts path relative to the first proto folder → text
 * @throws CodegenError if the result does not compile, or compiles to something else
 */
export async function checkStaged(
  { folder, protos }: Project,
  texts: ReadonlyMap<string, string>,
  given: FileDescriptorSet,
): Promise<void> {
  const stage = await mkdtemp(join(tmpdir(), 'hubwatch-pull-'));
  try {
    const copies = protos.map((_, index) => join(stage, `${index}`));
    for (const [index, from] of protos.entries()) await copyProtos(join(folder, from), copies[index] ?? stage);
    for (const [path, text] of texts) {
      const target = join(copies[0] ?? stage, path);
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, text);
    }
    checkMeaning(await compile(copies, protos, stage), given, new Set(texts.keys()));
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
}

async function copyProtos(from: string, into: string): Promise<void> {
  await mkdir(into, { recursive: true });
  for (const path of await listFiles(from)) {
    if (/\.proto$|^buf\.(?:yaml|lock)$/.test(path)) await cp(join(from, path), join(into, path));
  }
}

/** Compiler errors name the copies; users know the original folders. */
async function compile(
  copies: readonly string[],
  protos: readonly string[],
  stage: string,
): Promise<FileDescriptorSet> {
  try {
    return await compileProtos(copies);
  } catch (cause) {
    if (!(cause instanceof CodegenError)) throw cause;
    let { message } = cause;
    for (const [index, copy] of copies.entries()) message = message.replaceAll(copy, protos[index] ?? copy);
    throw new CodegenError(
      `the pulled files do not compile, so nothing was written: ${message.replaceAll(`${stage}/`, '')}`,
      {
        cause,
      },
    );
  }
}

function checkMeaning(compiled: FileDescriptorSet, given: FileDescriptorSet, paths: ReadonlySet<string>): void {
  const [ours, theirs] = [wireFactsOf(link(compiled)), wireFactsOf(link(given))];
  for (const [name, { file, text }] of theirs) {
    const our = ours.get(name)?.text;
    if (!paths.has(file) || our === text) continue;
    throw new CodegenError(
      `${file}: no proto file can say what the node gives, so nothing was written: ${name} is ${text}; the printed file has ${our ?? 'nothing'}`,
    );
  }
}

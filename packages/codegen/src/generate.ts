import { join } from 'node:path';

import { emitters } from './emit/index.js';
import type { EmittedFile, Emitter } from './emit/emitter.js';
import { compileProtos } from './load/compile-protos.js';
import { link } from './load/link.js';
import { readSpec } from './load/spec.js';
import { buildModel } from './model/build-model.js';
import { writeIfChanged } from './output.js';

export async function generate({ root }: { root: string }): Promise<unknown> {
  const [set, spec] = await Promise.all([compileProtos(join(root, 'proto')), readSpec(root)]);
  const linked = link(set);
  const model = buildModel(linked, spec);
  const files: EmittedFile[] = (
    await Promise.all(emitters.map(async (e: Emitter) => e.emit({ model, linked, spec })))
  ).flat();
  await writeIfChanged(join(root, 'packages/types/src/gen'), files);
  return { files: files.length, protos: model.files.length };
}

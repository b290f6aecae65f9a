import { join } from 'node:path';

import type { FileDescriptorSet } from '@bufbuild/protobuf/wkt';

import { compileProtos } from './compile-protos.js';
import { readFacts } from './facts.js';
import { readSpec } from './spec.js';
import type { Spec } from './spec-types.js';

/** Everything that the output depends on. */
export interface Input {
  readonly set: FileDescriptorSet;
  readonly spec: Spec;
}

/**
 * Compiles the protos of `root`, unless their descriptors are given, and reads its spec.
 *
 * @throws CodegenError
 */
export async function load(root: string, descriptors?: FileDescriptorSet): Promise<Input> {
  const [set, spec] = await Promise.all([
    descriptors ?? compileProtos(join(root, 'proto')),
    readSpec(root),
    // Nothing is made from the facts, but a wrong one is found here.
    readFacts(root),
  ]);
  return { set, spec };
}

import { create } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';

import { link } from '../load/link.js';
import { loadDescriptors } from '../load/load.js';
import { type Digests, digestOf } from '../load/lock.js';
import type { NamingSpec } from '../load/spec-types.js';
import type { Project } from '../project/project.js';
import { printProtos } from '../pull/print-protos.js';
import { neutralDescriptors } from '../pull/pull-descriptors.js';
import type { PulledFiles } from '../pull/pull-files.js';
import { compareDescriptors } from './descriptors.js';

/** What the files of a node say beside the locked ones. */
export interface ComparedFiles {
  /** Neutral names of the services that the node lists. */
  readonly services: readonly string[];
  /** Neutral paths whose text is not the locked one. */
  readonly changed: readonly string[];
  /** The first facts on which they differ, one line each; empty where none is changed. */
  readonly facts: readonly string[];
}

/** Prints the files of a node as the project writes them and holds their digests against the lock. */
export async function compareFiles(
  project: Project,
  pulled: PulledFiles,
  naming: NamingSpec | undefined,
  lock: Digests,
): Promise<ComparedFiles> {
  const [into = 'proto'] = project.protos;
  const { set, services } = neutralDescriptors(pulled, naming);
  const texts = printProtos(link(set));
  const changed = [...texts].filter(([path, text]) => lock[`${into}/${path}`] !== digestOf(text)).map(([path]) => path);
  if (changed.length === 0) return { services, changed, facts: [] };
  // Nothing is compiled while they agree.
  const compiled = await loadDescriptors(project);
  const ours = create(FileDescriptorSetSchema, { file: compiled.file.filter(({ name }) => texts.has(name)) });
  const facts = compareDescriptors(ours, set).map(({ name, what }) => `\n    ${name}: ${what}`);
  return { services, changed, facts: facts.slice(0, 10) };
}

import { link } from '../load/link.js';
import { loadDescriptors } from '../load/load.js';
import { type Digests, digestOf } from '../load/lock.js';
import type { NamingSpec, OptionsSpec } from '../load/spec-types.js';
import type { Project } from '../project/project.js';
import { printProtos } from '../pull/print-protos.js';
import { neutralDescriptors } from '../pull/pull-descriptors.js';
import type { PulledFiles } from '../pull/pull-files.js';
import { readPart } from '../pull/seeds.js';
import { type WireFacts, wireFactsOf } from '../load/wire-facts.js';

/** Result of comparing the files of a node with the locked ones. */
export interface ComparedFiles {
  /** Neutral names of the services that the node lists. */
  readonly services: readonly string[];
  /** Files with facts that differ on the node, by neutral path, with one line for each fact. */
  readonly changed: ReadonlyMap<string, readonly string[]>;
}

/**
 * Prints the files of a node in the form of the project and compares their digests with the lock. If one differs, both
 * sides are compared fact by fact, for all facts that are observable on the wire.
 */
export async function compareFiles(
  project: Project,
  pulled: PulledFiles,
  naming: NamingSpec | undefined,
  lock: Digests,
): Promise<ComparedFiles> {
  const [into = 'proto'] = project.protos;
  const { set, services } = neutralDescriptors(pulled, naming);
  const linked = link(set);
  const texts = printProtos(linked);
  const isLocked = [...texts].every(([path, text]) => lock[`${into}/${path}`] === digestOf(text));
  // Nothing is compiled if they are equal.
  if (isLocked) return { services, changed: new Map() };
  const options = await readPart<OptionsSpec>(project, 'options');
  const ours = wireFactsOf(link(await loadDescriptors(project)), options);
  return { services, changed: differences(ours, wireFactsOf(linked, options), new Set(texts.keys())) };
}

/** @param served paths of the node; declarations in our other files do not count as missing there */
function differences(ours: WireFacts, theirs: WireFacts, served: ReadonlySet<string>): Map<string, string[]> {
  const changed = new Map<string, string[]>();
  const add = (file: string, line: string): void => {
    const lines = changed.get(file);
    if (lines === undefined) changed.set(file, [line]);
    else lines.push(line);
  };
  for (const [name, { file, text }] of theirs) {
    const our = ours.get(name);
    if (our === undefined) add(file, `${name}: is in the node (${text}) and not in proto/`);
    else if (our.text !== text) add(our.file, `${name}: proto/ has ${our.text}, the node has ${text}`);
  }
  for (const [name, { file, text }] of ours) {
    if (served.has(file) && !theirs.has(name)) add(file, `${name}: is in proto/ (${text}) and not in the node`);
  }
  return changed;
}

import { readProject } from '../project/find-project.js';
import type { Project } from '../project/project.js';
import { readSpecFile } from './spec.js';

/** Files of the spec that are not used for generated code: facts about a node for clients, simulators and proofs. */
export const factFiles = {
  lists: 'lists.yaml',
  limits: 'limits.yaml',
  node: 'node.yaml',
  document: 'document.yaml',
} as const;

/** A tree of facts, as its JSON Schema guarantees it. */
export type Facts = Readonly<Record<keyof typeof factFiles, Readonly<Record<string, unknown>>>>;

/**
 * Reads the facts of a project (or of the project in a folder), and checks every file against the adjacent JSON Schema.
 * A spec may omit any of them.
 */
export async function readFacts(where: string | Project): Promise<Partial<Facts>> {
  const project = typeof where === 'string' ? readProject(where) : where;
  const { spec } = project;
  if (spec === undefined) return {};
  const entries = await Promise.all(
    Object.entries(factFiles).map(async ([member, name]) => {
      const file = await readSpecFile(project, member, `${spec}/${name}`);
      return file === undefined ? [] : [[member, file.value] as const];
    }),
  );
  return Object.fromEntries(entries.flat());
}

import { overlay } from '../generate.js';
import { readFacts } from '../load/facts.js';
import { link } from '../load/link.js';
import { load } from '../load/load.js';
import { readProject } from '../project/find-project.js';
import type { Project } from '../project/project.js';
import { referencePages } from './reference-pages.js';

/**
 * Reference pages of a project in Markdown: methods with availability and routes, enums, events, messages, refusals.
 *
 * @param root folder of a project, or the project
 * @param command command line that writes the pages again, for the reader
 * @returns file name → text
 * @throws CodegenError when an input is wrong
 */
export async function interfaceDocs(
  root: string | Project,
  command = 'hubwatch-codegen docs',
): Promise<ReadonlyMap<string, string>> {
  const project = typeof root === 'string' ? readProject(root) : root;
  const [{ set, ...read }, facts] = await Promise.all([load(project), readFacts(project)]);
  const { model } = overlay(link(set), read);
  return referencePages(model, read.spec, facts, `Written by \`${command}\` from proto files and spec.`);
}

import { CodegenError } from '../codegen-error.js';
import { listFacts } from '../docs/list-facts.js';
import { overlay } from '../generate.js';
import { readFacts } from '../load/facts.js';
import { link } from '../load/link.js';
import { load } from '../load/load.js';
import { renamer } from '../naming/rename.js';
import { renameModel } from '../naming/rename-model.js';
import { readProject } from '../project/find-project.js';
import type { Project } from '../project/project.js';
import { openApiDocument, type OpenApiDocument } from './document.js';

export interface OpenApiOptions {
  /** Folder of a project, or the project. */
  readonly root: string | Project;
  /** Naming profile for the names in the document; without it they are neutral. */
  readonly profile?: string | undefined;
}

/** Staking returns bare 64-bit numbers. @source proto/spec/node.yaml, json.integers_64 */
const plainMessages = ['stack.staking.v1beta1.DelegationResponse', 'stack.staking.v1beta1.RedelegationResponse'];

interface NodeFacts {
  readonly headers?: Readonly<Record<string, { readonly documented?: { readonly name?: string } } | undefined>>;
  readonly versions?: { readonly application?: { readonly observed?: { readonly release?: string } } };
}

/**
 * The REST gateway of a project as OpenAPI 3.1: only the methods that are served according to the spec.
 *
 * @throws CodegenError when an input is wrong or the profile is unknown
 */
export async function openApi({ root, profile }: OpenApiOptions): Promise<OpenApiDocument> {
  const project = typeof root === 'string' ? readProject(root) : root;
  const [{ set, ...read }, facts] = await Promise.all([load(project), readFacts(project)]);
  const { naming } = read.spec;
  if (profile !== undefined && profile !== naming.profile) {
    throw new CodegenError(`--profile ${profile}: the spec holds the naming profile ${naming.profile}, no other`);
  }
  const { model } = overlay(link(set), read);
  const nameOf = (kind: 'type' | 'header'): ((name: string) => string) =>
    profile === undefined ? (name) => name : renamer(naming, kind);
  const [type, header] = [nameOf('type'), nameOf('header')];
  const { notes } = listFacts(facts);
  const { versions, headers = {} } = (facts.node ?? {}) as NodeFacts;
  const [request, answer] = ['request_height', 'answer_height'].map((name) => headers[name]?.documented?.name);
  return openApiDocument(profile === undefined ? model : renameModel(model, naming), {
    title: project.title,
    version: versions?.application?.observed?.release ?? '0.0.0',
    heightHeaders:
      request === undefined || answer === undefined ? undefined : { request: header(request), answer: header(answer) },
    plainMessages: new Set(plainMessages.map(type)),
    notes: new Map([...notes].map(([name, note]) => [type(name), note])),
  });
}

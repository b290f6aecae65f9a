import { existsSync } from 'node:fs';
import { join } from 'node:path';

import type { ProjectConfig } from './config.js';

/** Name of the configuration file that is looked for. */
export const configName = 'hubwatch-codegen.yml';

/** What is read and written, every choice made. Paths are relative to `folder`, with forward slashes. */
export interface Project {
  readonly folder: string;
  /** As messages name it; absent when everything is a default. */
  readonly configPath?: string;
  readonly protos: readonly string[];
  /** A FileDescriptorSet that is read instead of `protos`. */
  readonly descriptors?: string;
  readonly spec?: string;
  readonly output: string;
  readonly lock?: string;
  readonly naming?: string;
  readonly runtime: string;
  /** Names, or all of them; absent means all but the extras. */
  readonly emitters?: readonly string[] | 'all';
  /** Reports of a public API that `breaking` compares. */
  readonly api?: readonly string[];
  readonly command: string;
  /** Of the OpenAPI document. */
  readonly title: string;
  /** Inputs as the header of generated files names them: those of the configuration, whatever a run reads instead. */
  readonly madeFrom: readonly string[];
}

/** Lays a configuration over the defaults. */
export function makeProject(folder: string, config: ProjectConfig = {}, configPath?: string): Project {
  const whenThere = (path: string): string | undefined => (existsSync(join(folder, path)) ? path : undefined);
  // Without a configuration the usual places count.
  const spec = config.spec ?? (configPath === undefined && whenThere('proto/spec'));
  const lock = config.lock ?? (configPath === undefined && whenThere('proto/lock.json'));
  const naming = config.naming ?? (typeof spec === 'string' && whenThere(`${spec}/naming-public.json`));
  const protos = typeof config.protos === 'string' ? [config.protos] : (config.protos ?? ['proto']);
  return {
    folder,
    ...(configPath !== undefined && { configPath }),
    protos: protos.map(tidy),
    ...(config.descriptors !== undefined && { descriptors: config.descriptors }),
    ...(typeof spec === 'string' && { spec: tidy(spec) }),
    output: tidy(config.output ?? 'src/gen'),
    ...(typeof lock === 'string' && { lock: tidy(lock) }),
    ...(typeof naming === 'string' && { naming: tidy(naming) }),
    runtime: config.runtime ?? '@hubwatch/types/runtime',
    ...(config.emitters !== undefined && { emitters: config.emitters }),
    ...(config.api !== undefined && { api: config.api.map(tidy) }),
    title: config.title ?? 'REST gateway',
    command: config.command ?? 'npx hubwatch-codegen generate',
    madeFrom: [
      ...(config.descriptors === undefined ? protos.map((path) => `${tidy(path)}/`) : [config.descriptors]),
      ...(typeof spec === 'string' ? [tidy(spec)] : []),
    ],
  };
}

function tidy(path: string): string {
  return path.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '');
}

/** The same project with its proto files or descriptors alone. */
export function withoutSpec(project: Project): Project {
  const dropped: ReadonlySet<string> = new Set(['spec', 'naming', 'lock'] satisfies (keyof Project)[]);
  return Object.fromEntries(Object.entries(project).filter(([key]) => !dropped.has(key))) as unknown as Project;
}

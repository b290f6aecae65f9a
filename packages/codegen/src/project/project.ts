import { existsSync } from 'node:fs';
import { join } from 'node:path';

import type { ProjectConfig } from './config.js';

/** Name of the configuration file. */
export const configName = 'hubwatch-codegen.yml';

/** Inputs and outputs with all defaults applied. Paths are relative to `folder`, with forward slashes. */
export interface Project {
  readonly folder: string;
  /** Path for messages; absent if everything is a default. */
  readonly configPath?: string;
  readonly protos: readonly string[];
  /** A FileDescriptorSet that is read instead of `protos`. */
  readonly descriptors?: string;
  readonly spec?: string;
  readonly output: string;
  readonly lock?: string;
  readonly naming?: string;
  readonly runtime: string;
  /** Names of emitters, or all; absent means all but the extras. */
  readonly emitters?: readonly string[] | 'all';
  /** Reports of a public API that `breaking` compares. */
  readonly api?: readonly string[];
  readonly command: string;
  /** Title of the OpenAPI document. */
  readonly title: string;
  /** Inputs for the header of generated files: those of the configuration, even if a run reads others. */
  readonly madeFrom: readonly string[];
}

/** Applies a configuration to the defaults. */
export function makeProject(folder: string, config: ProjectConfig = {}, configPath?: string): Project {
  const whenThere = (path: string): string | undefined => (existsSync(join(folder, path)) ? path : undefined);
  // Without a configuration, the default paths are used.
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

/** The same project with only its proto files or descriptors. */
export function withoutSpec(project: Project): Project {
  const dropped: ReadonlySet<string> = new Set(['spec', 'naming', 'lock'] satisfies (keyof Project)[]);
  return Object.fromEntries(Object.entries(project).filter(([key]) => !dropped.has(key))) as unknown as Project;
}

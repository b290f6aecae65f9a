import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { parse } from 'yaml';

import { CodegenError } from '../codegen-error.js';
import { type SpecMember, specFiles } from '../load/spec.js';
import type { Project } from '../project/project.js';
import type { AnySpec, AvailabilitySpec, EventsSpec, NamingSpec } from '../load/spec-types.js';

/**
 * Names in the spec of a root that are known before any request: naming, services, and messages that no service
 * reaches.
 */
export interface Seeds {
  readonly naming?: NamingSpec;
  /** Services for which the spec states the availability. */
  readonly services: readonly string[];
  /** The spec has an entry for every service: it exists and has no defaults. */
  readonly namesAllServices: boolean;
  readonly symbols: readonly string[];
  /** Packages with events, or with routes of removed services. */
  readonly packages: readonly string[];
}

/**
 * Reads only the existing parts of the spec of a project: a first pull starts with none.
 *
 * @param wanted whether to include messages and packages, or only the names
 */
export async function readSeeds(project: Project, wanted: 'names' | 'all' = 'all'): Promise<Seeds> {
  const none = Promise.resolve(undefined);
  const [naming, availability, any, events] = await Promise.all([
    readPart<NamingSpec>(project, 'naming'),
    readPart<AvailabilitySpec>(project, 'availability'),
    wanted === 'all' ? readPart<AnySpec>(project, 'any') : none,
    wanted === 'all' ? readPart<EventsSpec>(project, 'events') : none,
  ]);
  const symbols = [
    ...Object.values(any?.interfaces ?? {}).flatMap(({ implementations }) => implementations),
    ...Object.keys(any?.fields ?? {}).map((field) => field.slice(0, field.lastIndexOf('.'))),
  ];
  const legacy = Object.keys(availability?.legacy_routes ?? {}).map((name) => name.slice(0, name.lastIndexOf('.')));
  const services = Object.keys(availability?.services ?? {});
  const namesAllServices = availability !== undefined && availability.defaults === undefined;
  return {
    ...(naming && { naming }),
    services,
    namesAllServices,
    symbols,
    packages: [...(events?.packages ?? []), ...legacy],
  };
}

/** Location of a part of the spec; `undefined` if the project has none. */
export function pathOfPart({ spec, naming }: Project, member: SpecMember): string | undefined {
  if (member === 'naming') return naming;
  return spec === undefined ? undefined : `${spec}/${specFiles[member]}`;
}

/**
 * One part of the spec; `undefined` if it does not exist. Not validated against its schema, which a new root may not
 * have yet; `generate` validates it.
 */
export async function readPart<T>(project: Project, member: SpecMember): Promise<T | undefined> {
  const path = pathOfPart(project, member);
  if (path === undefined) return undefined;
  const text = await readFile(join(project.folder, path), 'utf8').catch(() => undefined);
  try {
    // All JSON is valid YAML, but the YAML parser is about fifty times slower.
    return text === undefined ? undefined : ((path.endsWith('.json') ? JSON.parse(text) : parse(text)) as T);
  } catch (cause) {
    throw new CodegenError(`${path}: ${(cause as Error).message}`, { cause });
  }
}

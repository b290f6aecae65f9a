import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { parse } from 'yaml';

import { CodegenError } from '../codegen-error.js';
import { type SpecMember, specFiles } from '../load/spec.js';
import type { Project } from '../project/project.js';
import type { AnySpec, AvailabilitySpec, EventsSpec, NamingSpec } from '../load/spec-types.js';

/** What the spec of a root knows of a node before any question: its names, and messages that no service reaches. */
export interface Seeds {
  readonly naming?: NamingSpec;
  /** Services of which the spec says what is served. */
  readonly services: readonly string[];
  /** The spec has a line for every service: it exists and has no defaults. */
  readonly namesAllServices: boolean;
  readonly symbols: readonly string[];
  /** Packages with events, or with routes that outlived their service. */
  readonly packages: readonly string[];
}

/**
 * Reads only the parts of the spec of a project that are there: a first pull starts with none.
 *
 * @param wanted whether the messages and packages are asked for too, or the names alone
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

/** Where a part of the spec stands; `undefined` where the project has none. */
export function pathOfPart({ spec, naming }: Project, member: SpecMember): string | undefined {
  if (member === 'naming') return naming;
  return spec === undefined ? undefined : `${spec}/${specFiles[member]}`;
}

/** One part of the spec; `undefined` where it is not there. Not held against its schema, which a root that is being filled may not have yet; `generate` does that. */
export async function readPart<T>(project: Project, member: SpecMember): Promise<T | undefined> {
  const path = pathOfPart(project, member);
  if (path === undefined) return undefined;
  const text = await readFile(join(project.folder, path), 'utf8').catch(() => undefined);
  try {
    // Every JSON is YAML too, but this parser is some fifty times slower.
    return text === undefined ? undefined : ((path.endsWith('.json') ? JSON.parse(text) : parse(text)) as T);
  } catch (cause) {
    throw new CodegenError(`${path}: ${(cause as Error).message}`, { cause });
  }
}

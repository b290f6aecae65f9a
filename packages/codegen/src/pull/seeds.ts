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
  readonly symbols: readonly string[];
  /** Packages with events, or with routes that outlived their service. */
  readonly packages: readonly string[];
}

/** Reads only the parts of the spec of a project that are there: a first pull starts with none. */
export async function readSeeds({ folder, spec, naming: profile }: Project): Promise<Seeds> {
  // Not held against its schema, which a root that is being filled may not have yet; `generate` does that.
  const read = async <T>(member: SpecMember): Promise<T | undefined> => {
    const path = member === 'naming' ? profile : spec === undefined ? undefined : `${spec}/${specFiles[member]}`;
    if (path === undefined) return undefined;
    const text = await readFile(join(folder, path), 'utf8').catch(() => undefined);
    try {
      return text === undefined ? undefined : (parse(text) as T);
    } catch (cause) {
      throw new CodegenError(`${path}: ${(cause as Error).message}`, { cause });
    }
  };
  const [naming, any, events, availability] = await Promise.all([
    read<NamingSpec>('naming'),
    read<AnySpec>('any'),
    read<EventsSpec>('events'),
    read<AvailabilitySpec>('availability'),
  ]);
  const symbols = [
    ...Object.values(any?.interfaces ?? {}).flatMap(({ implementations }) => implementations),
    ...Object.keys(any?.fields ?? {}).map((field) => field.slice(0, field.lastIndexOf('.'))),
  ];
  const legacy = Object.keys(availability?.legacy_routes ?? {}).map((name) => name.slice(0, name.lastIndexOf('.')));
  const services = Object.keys(availability?.services ?? {});
  return { ...(naming && { naming }), services, symbols, packages: [...(events?.packages ?? []), ...legacy] };
}

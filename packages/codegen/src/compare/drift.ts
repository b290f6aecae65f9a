import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { create } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';

import { link } from '../load/link.js';
import { loadDescriptors } from '../load/load.js';
import { digestOf, readLock } from '../load/lock.js';
import { specFiles } from '../load/spec.js';
import { readProject } from '../project/find-project.js';
import type { Project } from '../project/project.js';
import { printProtos } from '../pull/print-protos.js';
import { pullDescriptors } from '../pull/pull-descriptors.js';
import { readSeeds } from '../pull/seeds.js';
import { compareDescriptors } from './descriptors.js';

/** A line of lock or spec that a live node contradicts. */
export interface Drift {
  /** `proto/lock.json:42` */
  readonly line: string;
  readonly what: string;
}

export interface DriftReport {
  readonly services: number;
  readonly files: number;
  readonly drifts: readonly Drift[];
}

/**
 * Holds what a live node reports of its services against lock and spec of a project, or of the project in a folder.
 * Nothing is compiled while they agree.
 */
export async function drift(where: string | Project, endpoint: string): Promise<DriftReport> {
  const project = typeof where === 'string' ? readProject(where) : where;
  const { folder: root } = project;
  const [into = 'proto'] = project.protos;
  const { naming, services: known } = await readSeeds(project);
  const [{ set, services }, lock] = await Promise.all([
    pullDescriptors(endpoint, { naming, listedOnly: true }),
    readLock(project),
  ]);
  const texts = printProtos(link(set));
  const changed = [...texts].filter(([path, text]) => lock[`${into}/${path}`] !== digestOf(text)).map(([path]) => path);
  const drifts: Drift[] = [];
  if (changed.length > 0) {
    const compiled = await loadDescriptors(project);
    const ours = create(FileDescriptorSetSchema, { file: compiled.file.filter(({ name }) => texts.has(name)) });
    const facts = compareDescriptors(ours, set).map(({ name, what }) => `\n    ${name}: ${what}`);
    for (const path of changed)
      drifts.push(await at(root, project.lock ?? into, `"${into}/${path}"`, `the node has another ${path}`));
    const last = drifts.at(-1);
    if (last) drifts[drifts.length - 1] = { ...last, what: `${last.what}${facts.slice(0, 10).join('')}` };
  }
  const spec = `${project.spec ?? ''}/${specFiles.availability}`;
  for (const name of known.filter((each) => !services.includes(each))) {
    drifts.push(await at(root, spec, `  ${name}:`, `the node does not list the service ${name}`));
  }
  for (const name of services.filter((each) => !known.includes(each))) {
    drifts.push(await at(root, spec, 'services:', `the node lists ${name}, which is not there`));
  }
  return { services: services.length, files: texts.size, drifts };
}

async function at(root: string, path: string, text: string, what: string): Promise<Drift> {
  const lines = (await readFile(join(root, path), 'utf8')).split('\n');
  const index = lines.findIndex((line) => line.includes(text));
  return { line: index === -1 ? path : `${path}:${index + 1}`, what };
}

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { CodegenError } from '../codegen-error.js';
import { emitAll } from '../emit/emit-all.js';
import type { EmittedFile } from '../emit/emitter.js';
import { emitters } from '../emit/index.js';
import { overlay } from '../generate.js';
import { link } from '../load/link.js';
import { load } from '../load/load.js';
import type { Model } from '../model/model.js';
import { readProject } from '../project/find-project.js';
import { type Project, withoutSpec } from '../project/project.js';
import { areas, type InterfaceChange, type Level } from './change.js';
import { type Earlier, findEarlier } from './earlier.js';
import { exportChanges } from './export-changes.js';
import { messageChanges } from './message-changes.js';
import { type Bump, bumpOf, nextVersion } from './next-version.js';
import { reportChanges } from './report-changes.js';
import { rpcChanges } from './rpc-changes.js';
import { serviceChanges } from './service-changes.js';

export interface BreakingReport {
  /** Breaking changes first, by area, then ordered by subject. */
  readonly changes: readonly InterfaceChange[];
  readonly bump: Bump;
  /** Version from the nearest manifest above the output, if there is one. */
  readonly version?: { readonly from: string; readonly to: string };
}

/**
 * Compares a project with an earlier state of itself. Reports changes that break the wire format, methods that are no
 * longer served, and exports that code using the output would miss.
 *
 * @param against a folder, a tarball, a descriptor set (compares messages only), or a commit, branch or tag of git
 * @throws CodegenError when either side cannot be read
 */
export async function findBreaking(
  where: string | Project,
  against: string,
  cwd: string = process.cwd(),
): Promise<BreakingReport> {
  const project = typeof where === 'string' ? readProject(where) : where;
  const earlier = await findEarlier(project, against, cwd);
  try {
    const [old, now] = await Promise.all([readEarlier(earlier, against), readSide(bareAs(earlier, project))]);
    const changes = [
      ...messageChanges(old.model, now.model),
      ...(earlier.isBare ? serviceChanges(old.model, now.model).filter(({ area }) => area === 'wire') : []),
      ...(earlier.isBare ? [] : [...serviceChanges(old.model, now.model), ...rpcChanges(old.model, now.model)]),
      ...apiChanges(earlier, project, old, now),
    ].sort(byWeight);
    const bump = bumpOf(changes.map(({ level }) => level));
    const from = versionOf(project);
    const to = from === undefined ? undefined : nextVersion(from, bump);
    return { changes, bump, ...(from !== undefined && to !== undefined && { version: { from, to } }) };
  } finally {
    await earlier.remove();
  }
}

/** Compares the API reports if both sides have them, else the names that the generated modules export. */
function apiChanges(earlier: Earlier, project: Project, old: Side, now: Side): InterfaceChange[] {
  const textOf = ({ folder }: Project, path: string): string | undefined =>
    existsSync(join(folder, path)) ? readFileSync(join(folder, path), 'utf8') : undefined;
  const reports = (earlier.isBare ? [] : (project.api ?? [])).flatMap((path) => {
    const [before, after] = [textOf(earlier.project, path), textOf(project, path)];
    return before === undefined || after === undefined ? [] : [reportChanges(before, after)];
  });
  return reports.length > 0 ? reports.flat() : exportChanges(old.files, now.files);
}

/** Descriptors alone have no spec, so the current side is read without its spec too. */
function bareAs({ isBare }: Earlier, project: Project): Project {
  return isBare ? withoutSpec(project) : project;
}

interface Side {
  readonly model: Model;
  readonly files: readonly EmittedFile[];
}

async function readEarlier({ project }: Earlier, against: string): Promise<Side> {
  try {
    return await readSide(project);
  } catch (error) {
    if (!(error instanceof CodegenError)) throw error;
    throw new CodegenError(`the earlier state, ${against}: ${error.message}`, { cause: error });
  }
}

async function readSide(project: Project): Promise<Side> {
  const { set, ...read } = await load(project);
  const linked = link(set);
  const { model } = overlay(linked, read);
  // The wire types of another program are not covered by our compatibility promise.
  const own = emitters.filter(({ isExtra }) => isExtra !== true);
  return { model, files: await emitAll(own, { model, linked, spec: read.spec }) };
}

const levels: readonly Level[] = ['major', 'minor', 'patch'];

function byWeight(a: InterfaceChange, b: InterfaceChange): number {
  return (
    levels.indexOf(a.level) - levels.indexOf(b.level) ||
    areas.indexOf(a.area) - areas.indexOf(b.area) ||
    (a.subject < b.subject ? -1 : a.subject > b.subject ? 1 : 0)
  );
}

function versionOf({ folder, output }: Project): string | undefined {
  for (let at = join(folder, output); ; at = dirname(at)) {
    const file = join(at, 'package.json');
    if (existsSync(file)) {
      const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version?: unknown };
      return typeof version === 'string' ? version : undefined;
    }
    if (at === dirname(at)) return undefined;
  }
}

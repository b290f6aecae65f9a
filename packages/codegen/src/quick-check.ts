import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

import type { GenerateReport } from './generate-report.js';
import { digestOf } from './load/lock.js';
import { configName, type Project } from './project/project.js';
import { readStamp } from './stamp.js';
import { fits, readState } from './state.js';

export interface QuickCheck {
  readonly project: Project;
  readonly report: GenerateReport;
}

/**
 * Runs `generate --check` without a compiler, a parser or an emitter, if the stamp of an earlier run matches the
 * current bytes: of the configuration file, every input, the lock, the program and every generated file.
 *
 * @returns `undefined` if a full run is required
 */
export async function quickCheck(cwd: string): Promise<QuickCheck | undefined> {
  const folder = folderOfConfig(cwd);
  if (folder === undefined) return undefined;
  const stamp = await readStamp(folder);
  try {
    if (stamp?.config !== digestOf(readFileSync(join(folder, configName)))) return undefined;
    const project = { ...stamp.project, folder };
    if (!fits(stamp, await readState(project))) return undefined;
    return { project, report: { ...stamp.report, differences: [] } };
  } catch {
    // A stamp of another form, or a file that cannot be read: a full run reports it.
    return undefined;
  }
}

function folderOfConfig(cwd: string): string | undefined {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    if (existsSync(join(folder, configName))) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}

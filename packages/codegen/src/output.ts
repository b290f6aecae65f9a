import { readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { CodegenError } from './codegen-error.js';
import type { EmittedFile } from './emit/emitter.js';
import { generatedMark } from './emit/source-file.js';
import { listFiles } from './list-files.js';
import type { Project } from './project/project.js';

export interface Difference {
  readonly path: string;
  /** `missing`, `stale` (generated earlier, no longer needed) or the first line that differs. */
  readonly what: string;
}

/** Files of the output folder, with content. */
export async function readOutput({ folder: root, output }: Project): Promise<Map<string, string>> {
  const folder = join(root, output);
  return new Map((await listFiles(folder)).map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
}

/**
 * Compares the existing files with the expected ones.
 *
 * @throws CodegenError when the output folder contains a file that was not generated
 */
export function compareOutput(
  { output }: Project,
  found: ReadonlyMap<string, string>,
  wanted: readonly EmittedFile[],
): Difference[] {
  const wantedPaths = new Set(wanted.map(({ path }) => path));
  const differences: Difference[] = [];
  for (const [path, text] of found) {
    if (wantedPaths.has(path)) continue;
    if (!text.startsWith(generatedMark)) {
      throw new CodegenError(
        `${output}/${path} was not generated; only generated files may stand there. Move it elsewhere or delete it.`,
      );
    }
    differences.push({ path, what: 'stale: nothing generates it any more' });
  }
  for (const { path, text } of wanted) {
    const old = found.get(path);
    if (old === undefined) differences.push({ path, what: 'missing' });
    else if (old !== text) differences.push({ path, what: firstDifference(old, text) });
  }
  return differences.sort((a, b) => (a.path < b.path ? -1 : 1));
}

function firstDifference(old: string, wanted: string): string {
  const oldLines = old.split('\n');
  const wantedLines = wanted.split('\n');
  const at = wantedLines.findIndex((line, index) => line !== oldLines[index]);
  const index = at === -1 ? wantedLines.length : at;
  const show = (line: string | undefined): string => (line === undefined ? '(end of file)' : line.slice(0, 160));
  return `line ${index + 1} differs\n    - ${show(oldLines[index])}\n    + ${show(wantedLines[index])}`;
}

/** Maximum number of differences in a message; the rest is counted. */
const shown = 10;

export function showDifferences({ output }: Project, differences: readonly Difference[]): string[] {
  const lines = differences.slice(0, shown).map(({ path, what }) => `${output}/${path}: ${what}`);
  return differences.length > shown ? [...lines, `and ${differences.length - shown} more files`] : lines;
}

/** Writes files that differ and deletes stale ones. */
export async function writeOutput(
  { folder, output }: Project,
  wanted: readonly EmittedFile[],
  differences: readonly Difference[],
): Promise<void> {
  const texts = new Map(wanted.map(({ path, text }) => [path, text]));
  for (const { path } of differences) {
    const target = join(folder, output, path);
    const text = texts.get(path);
    if (text === undefined) await rm(target);
    else {
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, text);
    }
  }
}

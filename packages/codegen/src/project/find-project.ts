import { existsSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

import { CodegenError } from '../codegen-error.js';
import { type ProjectConfig, readProjectConfig, shownPath } from './config.js';
import { configName, makeProject, type Project } from './project.js';

/** Selection of the project on the command line. Paths are relative to the working folder. */
export interface ProjectChoice {
  /** A configuration file. */
  readonly config?: string;
  /** A folder with a configuration file, or with the default paths. */
  readonly root?: string;
  /** Configuration keys that take precedence over the file. */
  readonly over?: ProjectConfig;
  /** The project if no configuration file is found. */
  readonly otherwise?: Project | undefined;
}

/** Project of a folder: its configuration file, or the default paths. */
export function readProject(folder: string): Project {
  const file = join(folder, configName);
  return existsSync(file) ? makeProject(folder, readProjectConfig(file, configName), configName) : makeProject(folder);
}

/**
 * The project for a command: from `--config`, from `--root`, else from the nearest configuration file from the working
 * folder upwards.
 *
 * @throws CodegenError when there is none
 */
export function findProject(cwd: string, { config, root, over = {}, otherwise }: ProjectChoice): Project {
  if (config !== undefined) {
    const file = resolve(cwd, config);
    if (!existsSync(file)) throw new CodegenError(`${config}: there is no such file; hubwatch-codegen init makes one`);
    return merged(cwd, dirname(file), file, over);
  }
  if (root !== undefined) {
    const folder = resolve(cwd, root);
    if (!existsSync(folder) || !statSync(folder).isDirectory()) {
      throw new CodegenError(`${root}: there is no such folder; give one that is there with --root`);
    }
    const file = join(folder, configName);
    return merged(cwd, folder, existsSync(file) ? file : undefined, over);
  }
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const file = join(folder, configName);
    if (existsSync(file)) return merged(cwd, folder, file, over);
    if (folder === dirname(folder)) break;
  }
  if (over.protos !== undefined || over.descriptors !== undefined) return merged(cwd, resolve(cwd), undefined, over);
  if (otherwise !== undefined) return otherwise;
  throw new CodegenError(
    `no folder from ${cwd} upwards holds ${configName}; make one with hubwatch-codegen init, or give --config, --root, --protos or --descriptors`,
  );
}

/** The command line takes precedence over the file. */
function merged(cwd: string, folder: string, file: string | undefined, over: ProjectConfig): Project {
  const path = file === undefined ? undefined : shownPath(file, cwd);
  const { protos, descriptors, ...config } =
    file === undefined || path === undefined ? {} : readProjectConfig(file, path);
  const fromFolder = (value: string): string =>
    value === '-' ? value : relative(folder, resolve(cwd, value)).replaceAll('\\', '/') || '.';
  const isChosen = over.protos !== undefined || over.descriptors !== undefined;
  const input = isChosen
    ? {
        ...(over.protos !== undefined && { protos: [over.protos].flat().map(fromFolder) }),
        ...(over.descriptors !== undefined && { descriptors: fromFolder(over.descriptors) }),
      }
    : { ...(protos !== undefined && { protos }), ...(descriptors !== undefined && { descriptors }) };
  const paths = Object.fromEntries(
    (['spec', 'output', 'lock', 'naming'] as const).flatMap((key) => {
      const value = over[key];
      return value === undefined ? [] : [[key, value === false ? false : fromFolder(value)]];
    }),
  );
  const runtime = over.runtime?.startsWith('.') ? `./${fromFolder(over.runtime)}` : over.runtime;
  const made = makeProject(
    folder,
    {
      ...config,
      ...input,
      // The lock covers only the inputs of the file.
      ...(isChosen && { lock: false as const }),
      ...paths,
      ...(runtime !== undefined && { runtime }),
      ...(over.emitters !== undefined && { emitters: over.emitters }),
    },
    path,
  );
  if (file === undefined) return made;
  const { madeFrom } = makeProject(
    folder,
    { ...config, ...(protos && { protos }), ...(descriptors !== undefined && { descriptors }) },
    path,
  );
  return { ...made, madeFrom };
}

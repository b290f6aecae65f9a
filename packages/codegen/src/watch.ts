import { existsSync, type FSWatcher, watch as watchFolder } from 'node:fs';
import { dirname, join } from 'node:path';

import type { Project } from './project/project.js';

/** Editors write a file in several steps, and tools write many files. */
const settleMs = 100;

export interface WatchOptions {
  /** Reads the project again before each run; may throw. */
  readonly readProject: () => Project;
  /** Called once at the start and after each change, never concurrently. It must report its own failures. */
  readonly run: () => Promise<void>;
  readonly signal: AbortSignal;
}

/** Runs immediately and again whenever an input changes, until it is stopped. */
export async function watchInputs({ readProject, run, signal }: WatchOptions): Promise<void> {
  let changed = new Deferred();
  let watchers = new Map<string, FSWatcher>();
  const onChange = (): void => changed.resolve();
  signal.addEventListener('abort', onChange, { once: true });
  try {
    while (!signal.aborted) {
      // Before the run, so that no change during it is missed.
      changed = new Deferred();
      watchers = watchAll(readProject, watchers, onChange);
      await run();
      await changed.promise;
      await settle(signal);
    }
  } finally {
    for (const watcher of watchers.values()) watcher.close();
  }
}

class Deferred {
  resolve!: () => void;
  readonly promise = new Promise<void>((resolve) => (this.resolve = resolve));
}

function settle(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, settleMs);
    signal.addEventListener('abort', end, { once: true });
  });
}

/** Watchers of the current inputs; earlier ones are reused or closed. */
function watchAll(
  readProject: () => Project,
  old: ReadonlyMap<string, FSWatcher>,
  onChange: () => void,
): Map<string, FSWatcher> {
  let project: Project;
  try {
    project = readProject();
  } catch {
    // The run reports the fault. The previous watchers are kept, including the one of the faulty file.
    return new Map(old);
  }
  const folders = inputFolders(project);
  const watchers = new Map<string, FSWatcher>();
  for (const [folder, wants] of folders) {
    const isDeep = wants === 'all';
    const known = old.get(folder);
    if (known) watchers.set(folder, known);
    else if (existsSync(folder)) {
      const watcher = watchFolder(folder, { recursive: isDeep }, (_, name) => {
        if (isDeep || name === null || wants.has(name)) onChange();
      });
      // A folder was deleted: the next run reports it.
      watcher.on('error', onChange);
      watchers.set(folder, watcher);
    }
  }
  for (const [folder, watcher] of old) if (!watchers.has(folder)) watcher.close();
  return watchers;
}

/** Folders to watch, either recursively or with the relevant names. */
function inputFolders({
  folder,
  protos,
  descriptors,
  spec,
  naming,
  configPath,
}: Project): Map<string, 'all' | Set<string>> {
  const folders = new Map<string, 'all' | Set<string>>();
  const deep = [...(descriptors === undefined ? protos : []), ...(spec === undefined ? [] : [spec])];
  for (const path of deep) folders.set(join(folder, path), 'all');
  const config = configPath === undefined ? [] : [configPath.split(/[\\/]/).at(-1) ?? configPath];
  const single = [
    ...config,
    ...(descriptors === undefined ? [] : [descriptors]),
    ...(naming === undefined ? [] : [naming]),
  ];
  for (const path of single) {
    const parent = dirname(join(folder, path));
    const names = folders.get(parent);
    if (names === 'all') continue;
    const name = path.split('/').at(-1) ?? path;
    folders.set(parent, new Set([...(names ?? []), name]));
  }
  return folders;
}

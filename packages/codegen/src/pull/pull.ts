import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { listFiles } from '../list-files.js';
import { link } from '../load/link.js';
import { digestInputs, lockedPaths, writeLock } from '../load/lock.js';
import { printProtos } from './print-protos.js';
import { pullDescriptors, type PullOptions } from './pull-descriptors.js';
import { readSeeds } from './seeds.js';

export interface PullReport {
  readonly services: number;
  readonly files: number;
  /** Paths below `proto/` that were written, because they were new or other. */
  readonly written: readonly string[];
  /** Paths of `proto/` that the node does not know; they stay. */
  readonly notOnNode: readonly string[];
  /** Messages that the spec names and the node does not know. */
  readonly unknown: readonly string[];
}

const bufSettings = `# Checked offline: no deps. MINIMAL, because the wire forbids to mend what stricter rules dislike.
version: v2
modules:
  - path: .
lint:
  use: [MINIMAL]
breaking:
  use: [WIRE_JSON]
`;

/** Writes the proto files of a live node below `root/proto` and locks them. */
export async function pull(root: string, endpoint: string, progress?: PullOptions['progress']): Promise<PullReport> {
  const folder = join(root, 'proto');
  const old = (await listFiles(folder)).filter((path) => path.endsWith('.proto'));
  const locked = (await lockedPaths(root)).map((path) => path.replace(/^proto\//, ''));
  const seeds = await readSeeds(root);
  const { set, services, unknown } = await pullDescriptors(endpoint, {
    ...seeds,
    paths: new Set([...old, ...locked.filter((path) => path.endsWith('.proto'))]),
    ...(progress && { progress }),
  });
  const written: string[] = [];
  const texts = printProtos(link(set));
  for (const [path, text] of texts) {
    const target = join(folder, path);
    if ((await readText(target)) === text) continue;
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, text);
    written.push(path);
  }
  const settings = join(folder, 'buf.yaml');
  if ((await readText(settings)) === undefined) await writeFile(settings, bufSettings);
  await writeLock(root, await digestInputs(root));
  const notOnNode = old.filter((path) => !texts.has(path));
  return {
    services: services.length,
    files: texts.size,
    written,
    notOnNode,
    unknown: unknown.filter((name) => !name.endsWith('.proto')),
  };
}

async function readText(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  });
}

import { spawn } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, posix, relative, resolve } from 'node:path';

import { CodegenError } from '../codegen-error.js';
import { readProjectConfig } from '../project/config.js';
import { makeProject, type Project, withoutSpec } from '../project/project.js';

/** An earlier state of a project, with a function that removes its temporary copy. */
export interface Earlier {
  readonly project: Project;
  /** Only descriptors are available, so that only they can be compared. */
  readonly isBare: boolean;
  remove(): Promise<void>;
}

const none = (): Promise<void> => Promise.resolve();

/**
 * Finds the earlier state to compare a project with.
 *
 * @param against a folder, a tarball, a descriptor set, or a commit, branch or tag of git
 * @throws CodegenError when it is none of these
 */
export async function findEarlier(now: Project, against: string, cwd: string): Promise<Earlier> {
  const path = resolve(cwd, against);
  if (!existsSync(path)) return ofCommit(now, against);
  if (statSync(path).isDirectory()) return { project: projectIn(path, now), isBare: false, remove: none };
  if (/\.(tgz|tar|tar\.gz)$/.test(path)) return ofTarball(now, path, against);
  const descriptors = relative(now.folder, path).replaceAll('\\', '/');
  return { project: { ...withoutSpec(now), descriptors }, isBare: true, remove: none };
}

/** Its own configuration, else the current choices. */
function projectIn(folder: string, now: Project): Project {
  const name = basename(now.configPath ?? 'hubwatch-codegen.yml');
  const file = join(folder, name);
  if (existsSync(file)) return makeProject(folder, readProjectConfig(file, file), file);
  if (now.protos.some((path) => existsSync(join(folder, path)))) {
    const { spec, ...choices } = now;
    return { ...choices, folder, ...(spec !== undefined && existsSync(join(folder, spec)) && { spec }) };
  }
  return makeProject(folder);
}

async function ofTarball(now: Project, path: string, against: string): Promise<Earlier> {
  const folder = await mkdtemp(join(tmpdir(), 'hubwatch-earlier-'));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    await run('tar', ['-xf', path, '-C', folder], folder, `${against} cannot be unpacked`);
    const entries = await readdir(folder);
    // Tarballs from npm and git hosts contain one folder.
    const [only] = entries;
    const isWrapped = entries.length === 1 && only !== undefined && statSync(join(folder, only)).isDirectory();
    const isProject = existsSync(join(folder, basename(now.configPath ?? 'hubwatch-codegen.yml')));
    return { project: projectIn(isWrapped && !isProject ? join(folder, only) : folder, now), isBare: false, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function ofCommit(now: Project, against: string): Promise<Earlier> {
  const git = (args: readonly string[], what: string): Promise<Buffer> => run('git', args, now.folder, what);
  const notFound = `${against}: there is no such file or folder, and git knows no such commit, branch or tag here`;
  if (against.startsWith('-')) throw new CodegenError(notFound);
  const commit = (await git(['rev-parse', '--verify', '--quiet', `${against}^{commit}`], notFound)).toString().trim();
  const prefix = (await git(['rev-parse', '--show-prefix'], notFound)).toString().trim().replace(/\/$/, '');
  const top = (await git(['rev-parse', '--show-toplevel'], notFound)).toString().trim();
  const folder = await mkdtemp(join(tmpdir(), 'hubwatch-earlier-'));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const archive = join(folder, '.archive.tar');
    const cannot = `${against} cannot be read`;
    await writeFile(archive, await run('git', ['archive', '--format=tar', commit], top, cannot));
    await run('tar', ['-xf', archive, '-C', folder], folder, cannot);
    const project = join(folder, posix.normalize(prefix || '.'));
    if (!existsSync(project)) throw new CodegenError(`${against} has no folder ${prefix}`);
    return { project: projectIn(project, now), isBare: false, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

function run(program: string, args: readonly string[], cwd: string, fault: string): Promise<Buffer> {
  return new Promise((done, failed) => {
    const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    const out: Buffer[] = [];
    let err = '';
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
    child.on('error', (cause) => failed(new CodegenError(`${fault}: ${program}: ${cause.message}`, { cause })));
    child.on('close', (code) => {
      const [why = ''] = err.trim().split('\n');
      if (code === 0) done(Buffer.concat(out));
      else failed(new CodegenError(why === '' ? fault : `${fault}: ${why}`));
    });
  });
}

// Prepares a clone: checks the Node version, installs packages, builds packages. Uses only Node itself, because it runs
// before packages are installed.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const minimumNode = [20, 19];
const lockStamp = join(root, 'node_modules/.hubwatch-lock');
const buildStamp = join(root, '.hubwatch/build.json');

/** A failure that the user can fix: printed without a stack. */
export class SetupError extends Error {}

export function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > minimumNode[0] || (major === minimumNode[0] && minor >= minimumNode[1])) return;
  throw new SetupError(
    `Node ${process.versions.node} is too old: hubwatch needs Node ${minimumNode.join('.')} or newer. ` +
      'Install a newer Node (https://nodejs.org) and run the command again.',
  );
}

/** Installs packages if the lock file differs from the installed one. */
export async function install(say) {
  const lock = join(root, 'package-lock.json');
  const wanted = createHash('sha256').update(readFileSync(lock)).digest('hex');
  const installed = join(root, 'node_modules/.package-lock.json');
  if (existsSync(lockStamp) && readFileSync(lockStamp, 'utf8') === wanted && existsSync(installed)) return;
  if (!existsSync(lockStamp) && existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) {
    writeFileSync(lockStamp, wanted);
    return;
  }
  say('installing packages (npm ci), about half a minute the first time …');
  const { code, tail } = await run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { quiet: true });
  if (code !== 0) {
    throw new SetupError(
      `npm ci failed with exit code ${code}:\n${tail}\n` +
        'Check that the package registry can be reached (npm ping) and that this folder is writable, then run the command again.',
    );
  }
  writeFileSync(lockStamp, wanted);
}

/** Builds outdated packages. Compares names, sizes and times of the sources, so that an unchanged tree costs milliseconds. */
export async function build(say, projects) {
  const now = fingerprint(projects);
  const before = existsSync(buildStamp) ? JSON.parse(readFileSync(buildStamp, 'utf8')) : {};
  const stale = projects.filter(
    (name) => before[name] !== now[name] || !existsSync(join(root, folderOf(name), 'dist')),
  );
  if (stale.length === 0) return;
  say(`building ${stale.join(', ')} …`);
  const { code, tail } = await nx(['run-many', '-t', 'build', '-p', stale.map((n) => `@hubwatch/${n}`).join(',')]);
  if (code !== 0) {
    throw new SetupError(
      `the build failed:\n${tail}\nMend the errors above, or run "git status" to see what differs from the last commit.`,
    );
  }
  mkdirSync(dirname(buildStamp), { recursive: true });
  writeFileSync(buildStamp, JSON.stringify({ ...before, ...now }));
}

export function folderOf(project) {
  return ['codegen', 'types', 'client', 'daemon'].includes(project) ? `packages/${project}` : `tools/${project}`;
}

export function nx(args, options = {}) {
  const env = { ...process.env, NX_DAEMON: 'false', NX_TUI: 'false', NX_NO_CLOUD: 'true', FORCE_COLOR: '0' };
  return run(process.execPath, [join(root, 'node_modules/nx/dist/bin/nx.js'), ...args], {
    quiet: true,
    env,
    ...options,
  });
}

/** Runs a program in the root folder. `quiet` buffers its output and prints it only on failure. */
export function run(program, args, { quiet = false, env = process.env, onLine, cwd = root } = {}) {
  return new Promise((done) => {
    const child = spawn(program, args, { cwd, env, stdio: quiet ? ['ignore', 'pipe', 'pipe'] : 'inherit' });
    let text = '';
    const keep = (chunk) => {
      text += chunk;
      onLine?.(String(chunk));
    };
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    child.on('error', (error) => done({ code: 127, text: error.message, tail: error.message }));
    child.on('close', (code) => done({ code: code ?? 1, text, tail: text.split('\n').slice(-60).join('\n') }));
  });
}

function fingerprint(projects) {
  const shared = ['package-lock.json', 'tsconfig.base.json', 'tools/scripts/bundle-dist.mjs']
    .map((file) => stamp(join(root, file)))
    .join();
  const result = {};
  for (const name of projects) {
    const folder = join(root, folderOf(name));
    const hash = createHash('sha256').update(shared);
    for (const file of ['package.json', 'tsconfig.lib.json']) hash.update(stamp(join(folder, file)));
    for (const file of sources(join(folder, 'src'))) hash.update(relative(folder, file) + stamp(file));
    result[name] = hash.digest('hex');
  }
  return result;
}

function sources(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();
}

function stamp(file) {
  const { size, mtimeMs } = statSync(file);
  return `${size}@${mtimeMs};`;
}

/** Prints a failure for the user and exits with the given code. HUBWATCH_DEBUG=1 adds the stack. */
export function fail(error, code = 1) {
  const text = error instanceof Error ? error.message : String(error);
  const where = process.env.HUBWATCH_DEBUG === '1' && error instanceof Error ? `\n${error.stack}` : '';
  process.stderr.write(`\n${text}${where}\n`);
  process.exit(code);
}

import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Devnode, startDevnode } from '@hubwatch/devnode';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../../..');
const program = join(root, 'packages/codegen/src/main.ts');

/** Runs the command line in a separate process, so that the node in this process can answer. */
function codegen(...args: string[]): Promise<{ code: number | null; out: string; err: string }> {
  return new Promise((done, failed) => {
    const child = spawn(process.execPath, ['--import', 'tsx', '-C', '@hubwatch/source', program, ...args], {
      cwd: root,
    });
    let out = '';
    let err = '';
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
    child.on('error', failed);
    child.on('close', (code) => done({ code, out, err }));
  });
}

/** Path → content of every file below a folder. */
function contents(folder: string, ending = ''): Map<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => /\.\w+$/.test(path));
  return new Map(
    paths
      .filter((path) => path.endsWith(ending))
      .sort()
      .map((path) => [path, readFileSync(join(folder, path), 'utf8')]),
  );
}

function differing(ours: ReadonlyMap<string, string>, theirs: ReadonlyMap<string, string>): string[] {
  return [...new Set([...ours.keys(), ...theirs.keys()])].filter((path) => ours.get(path) !== theirs.get(path));
}

describe('hubwatch-codegen pull', () => {
  let node: Devnode;
  let folder: string;

  beforeAll(async () => {
    node = await startDevnode({ mode: 'moving', speed: 'manual' });
    folder = mkdtempSync(join(tmpdir(), 'hubwatch-pull-'));
    cpSync(join(root, 'proto/spec'), join(folder, 'proto/spec'), { recursive: true });
    // Protobuf's own files belong to the project, if it has any: pull does not write them.
    cpSync(join(root, 'proto/google/protobuf'), join(folder, 'proto/google/protobuf'), { recursive: true });
    cpSync(join(root, 'hubwatch-codegen.yml'), join(folder, 'hubwatch-codegen.yml'));
  });
  afterAll(async () => {
    await node.close();
    await rm(folder, { recursive: true });
  });

  it('pull: the spec alone suffices to find every file that the output requires', async () => {
    const { code, out, err } = await codegen('pull', node.grpc, '--root', folder);
    // Progress is printed only on a terminal.
    expect(err).toBe('');
    expect(out).toMatch(/^proto: 2\d\d written; 2\d\d files of 41 services/);
    expect(code).toBe(0);
  });

  it('pull, then generate: the committed output, byte for byte', async () => {
    const { code, err } = await codegen('generate', '--root', folder);
    expect(err).toBe('');
    expect(code).toBe(0);
    const gen = 'packages/types/src/gen';
    expect(differing(contents(join(folder, gen)), contents(join(root, gen)))).toEqual([]);
  });

  it('pull: with the committed lock every committed proto file, byte for byte, and the same lock', async () => {
    cpSync(join(root, 'proto/lock.json'), join(folder, 'proto/lock.json'));
    const { code, out } = await codegen('pull', node.grpc, '--root', folder, '--json', '--quiet');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ ok: true, services: 41, files: 335, notOnNode: [], unknown: [] });
    expect(differing(contents(join(folder, 'proto'), '.proto'), contents(join(root, 'proto'), '.proto'))).toEqual([]);
    const lock = (of: string) => readFileSync(join(of, 'proto/lock.json'), 'utf8');
    expect(lock(folder)).toBe(lock(root));
  });

  it.each([
    ['127.0.0.1:1', 3, 'ECONNREFUSED'],
    ['nowhere', 2, 'an endpoint is host:port'],
  ])('pull: %s is reported in one line without a stack, exit code %i', async (endpoint, exitCode, text) => {
    const { code, err } = await codegen('pull', endpoint, '--root', folder);
    expect(code).toBe(exitCode);
    expect(err).toContain(text);
    expect(err.trim().split('\n')).toHaveLength(1);
  });

  it('pull: a server that is not a gRPC server is recognised', async () => {
    const { code, err } = await codegen('pull', node.rest, '--root', folder);
    expect(code).toBe(3);
    expect(err).toMatch(/^hubwatch-codegen: http:\/\/127/);
    expect(err).not.toContain(' at ');
  });
});

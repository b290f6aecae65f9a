import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { repositoryRoot } from '../../test/copied-root.js';
import { runCli } from '../cli.js';
import { readDescriptors } from './read-descriptors.js';
import { scriptOfPackage } from './run-tool.js';

describe('descriptors as input', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'hubwatch-descriptors-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test('descriptors: a set that buf wrote with comments produces the committed files, byte for byte', async () => {
    const file = join(folder, 'image.binpb');
    // An image: with source info, and with buf's own extensions in every file.
    const args = ['build', join(repositoryRoot, 'proto'), '-o', file];
    expect(spawnSync(process.execPath, [scriptOfPackage('@bufbuild/buf', 'bin/buf'), ...args]).status).toBe(0);
    writeFileSync(join(folder, 'image.binpb.gz'), gzipSync(readFileSync(file)));
    let text = '';
    const out = (more: string): void => void (text += more);
    const flags = ['generate', '--check', '--descriptors', file, '--json'];
    const code = await runCli(flags, repositoryRoot, { out, err: out });
    expect(JSON.parse(text)).toMatchObject({ ok: true, protos: 202, services: 41, differences: [] });
    expect(code).toBe(0);
    expect((await readDescriptors(folder, 'image.binpb.gz')).file).toHaveLength(335);
  });

  test.each([
    ['nothing.binpb', undefined, /^nothing\.binpb cannot be read: ENOENT/],
    ['empty.binpb', new Uint8Array(), /^empty\.binpb holds no file; make one with `protoc --include_imports/],
    ['text.binpb', new TextEncoder().encode('syntax = "proto3";'), /^text\.binpb is no FileDescriptorSet \(/],
    ['zip.binpb', Uint8Array.of(0x1f, 0x8b, 1, 2), /^zip\.binpb is no FileDescriptorSet \(/],
    ['unnamed.binpb', Uint8Array.of(0x0a, 0), /^unnamed\.binpb: file 0 has no name/],
  ])('descriptors: %s is refused by name', async (name, bytes, fault) => {
    if (bytes) writeFileSync(join(folder, name), bytes);
    await expect(readDescriptors(folder, name)).rejects.toThrow(fault);
  });
});

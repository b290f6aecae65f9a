import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { drift } from '@hubwatch/codegen';
import { type Devnode, startDevnode } from '@hubwatch/devnode';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../../..');

describe('drift', () => {
  let node: Devnode;
  let folder: string;
  beforeAll(async () => {
    node = await startDevnode({ mode: 'moving', speed: 'manual' });
    folder = mkdtempSync(join(tmpdir(), 'hubwatch-drift-'));
    cpSync(join(root, 'proto'), join(folder, 'proto'), { recursive: true });
  });
  afterAll(async () => {
    await node.close();
    await rm(folder, { recursive: true });
  });

  it('drift: a node that serves what is locked contradicts nothing', async () => {
    expect(await drift(root, node.grpc)).toEqual({ services: 41, files: 118, drifts: [] });
  });

  it('drift: a contradicted line of lock and of spec is named, with the field that differs', async () => {
    const edit = (path: string, from: string, to: string): void => {
      const text = readFileSync(join(folder, path), 'utf8');
      expect(text).toContain(from);
      writeFileSync(join(folder, path), text.replace(from, to));
    };
    const digest = /"proto\/hub\/node\/v3\/node.proto": "(\w+)"/.exec(
      readFileSync(join(folder, 'proto/lock.json'), 'utf8'),
    );
    // A check that found nothing is remembered; what changes after it must be found all the same.
    expect((await drift(folder, node.grpc)).drifts).toEqual([]);
    edit('proto/lock.json', digest?.[1] ?? '', '0'.repeat(64));
    edit('proto/hub/node/v3/node.proto', 'string address = 1;', 'string addr = 1;');
    edit('proto/spec/availability.yaml', '  hub.node.v3.QueryService:', '  hub.node.v4.QueryService:');
    const { drifts } = await drift(folder, node.grpc);
    expect(drifts.map(({ line }) => line)).toEqual([
      expect.stringMatching(/^proto\/lock\.json:\d+$/),
      expect.stringMatching(/^proto\/spec\/availability\.yaml:\d+$/),
      expect.stringMatching(/^proto\/spec\/availability\.yaml:\d+$/),
    ]);
    expect(drifts[0]?.what).toContain('hub.node.v3.Node.address');
    expect(drifts[1]?.what).toContain('does not list the service hub.node.v4.QueryService');
  }, 30_000);
});

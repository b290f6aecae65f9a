import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { runProgram } from '@hubwatch/bench/consumers';
import { publicNaming } from '@hubwatch/client';
import { drift } from '@hubwatch/codegen';
import { type Devnode, startDevnode } from '@hubwatch/devnode';
import { startFaultProxy } from '@hubwatch/devnode/faults';
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

  it('drift: a node that matches the lock has no contradictions', async () => {
    expect(await drift(root, node.grpc)).toEqual({ services: 41, files: 118, drifts: [] });
  });

  it('drift: reports a contradicted line of the lock and of the spec, with the field that differs', async () => {
    const edit = (path: string, from: string, to: string): void => {
      const text = readFileSync(join(folder, path), 'utf8');
      expect(text).toContain(from);
      writeFileSync(join(folder, path), text.replace(from, to));
    };
    const digest = /"proto\/hub\/node\/v3\/node.proto": "(\w+)"/.exec(
      readFileSync(join(folder, 'proto/lock.json'), 'utf8'),
    );
    // A clean result is cached; later changes must still be detected.
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
  });

  describe('with calls', () => {
    let project: string;
    beforeAll(() => {
      project = mkdtempSync(join(tmpdir(), 'hubwatch-drift-'));
      cpSync(join(root, 'proto'), join(project, 'proto'), { recursive: true });
    });
    afterAll(() => rm(project, { recursive: true }));

    it('drift --calls: every read-only method answers over gRPC and REST as specified', async () => {
      const { drifts, called } = await drift(project, node.grpc, { calls: true, rest: node.rest });
      expect(drifts).toEqual([]);
      expect(called?.noAnswer).toEqual([]);
      // Of 236 methods: over gRPC all with a GET route; over REST those that the spec declares served or not mounted.
      expect(called?.notAsked).toBe(7);
      expect(called?.calls).toBeGreaterThan(440);
    });

    it('drift --calls: an incorrect method in the spec is reported with its line, in either direction', async () => {
      const path = join(project, 'proto/spec/availability.yaml');
      const text = readFileSync(path, 'utf8');
      const changed = text
        .replace(/(hub\.node\.v3\.QueryService:[\s\S]*?QueryNode:\s+grpc: )served/, '$1provider-v2-params')
        .replace(/(hub\.subscription\.v2\.QueryService:[\s\S]*?QueryParams:[\s\S]*?rest: )[\w-]+/, '$1served');
      writeFileSync(path, changed);
      const { drifts } = await drift(project, node.grpc, { calls: true, rest: node.rest });
      writeFileSync(path, text);
      const before = text.split('\n');
      const lines = changed.split('\n').flatMap((line, index) => (line === before[index] ? [] : [index + 1]));
      expect(lines).toHaveLength(2);
      expect(drifts).toEqual([
        {
          line: `proto/spec/availability.yaml:${lines[0]}`,
          what: 'the node has hub.node.v3.QueryService/QueryNode over gRPC implemented, the spec says provider-v2-params',
        },
        {
          line: `proto/spec/availability.yaml:${lines[1]}`,
          what: 'the node has hub.subscription.v2.QueryService/QueryParams over REST unimplemented, the spec says served',
        },
      ]);
    });

    it('drift --calls: a gateway that does not answer is reported, but not as a contradiction', async () => {
      const { drifts, called } = await drift(project, node.grpc, { calls: true, rest: 'http://127.0.0.1:1' });
      expect(drifts).toEqual([]);
      expect(called?.noAnswer.length).toBeGreaterThan(200);
      expect(called?.noAnswer).toContainEqual(
        expect.stringMatching(/QueryNode over REST: .*(?:ECONNREFUSED|bad port)/),
      );
    });

    it('drift --calls: a route that gives no answer is distinguished from one that is not served, and fails the check', async () => {
      const route = new URL(publicNaming.routeToWire('/hub/node/v3/params'), node.rest).pathname;
      const proxy = await startFaultProxy({
        target: node.rest,
        mode: 'http',
        plan: { answer: ({ path }) => (path.startsWith(route) ? { kind: 'cut' } : undefined) },
      });
      const spec = readFileSync(join(project, 'proto/spec/availability.yaml'), 'utf8');
      const main = join(root, 'packages/codegen/src/main.ts');
      const args = ['drift', node.grpc, '--root', project, '--calls', '--rest', proxy.url];
      const ran = await runProgram(
        process.execPath,
        ['--import', 'tsx', '-C', '@hubwatch/source', main, ...args],
        root,
      );
      await proxy.close();
      expect(proxy.count).toBe(1);
      expect(ran.text).toMatch(
        /^no answer, so nothing is known: hub\.node\.v3\.QueryService\/QueryParams over REST: /m,
      );
      expect(ran.text.match(/no answer/g)).toHaveLength(1);
      expect(ran.text).toMatch(/, 0 lines contradicted$/m);
      expect(ran.code).toBe(3);
      expect(readFileSync(join(project, 'proto/spec/availability.yaml'), 'utf8')).toBe(spec);
    });
  });
});

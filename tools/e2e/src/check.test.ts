import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram, workspace } from '@hubwatch/bench/consumers';
import { createLogger, parseConfig, startApp, systemClock } from '@hubwatch/daemon';
import { type Devnode, startDevnode } from '@hubwatch/devnode';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

describe('hubwatch check, run standalone like cron and monitoring systems do', () => {
  let node: Devnode;
  const folder = mkdtempSync(join(tmpdir(), 'hubwatch-check-'));
  const file = join(folder, 'hubwatch.yml');
  const check = (...args: string[]): Promise<{ code: number; text: string }> => {
    const main = join(workspace, 'packages/daemon/src/main.ts');
    const options = ['--conditions=@hubwatch/source', '--import', 'tsx', main, 'check', '--config', file];
    return runProgram(process.execPath, [...options, ...args], workspace);
  };

  beforeAll(async () => {
    // One block before node5 lapses.
    node = await startDevnode({ mode: 'moving', chain: 'chain', speed: 'manual', from: 901_903 });
    const { grpc, rest, rpc, accounts } = node;
    writeFileSync(
      file,
      `endpoints: [{name: own, role: own, grpc: "${grpc}", rest: "${rest}", rpc: "${rpc}"}]
watch: {nodes: [{address: ${accounts['node5']}, alias: five}, {address: ${accounts['node1']}, alias: one}, {address: ${accounts['acc1']}, alias: stranger}]}
store: {path: "${join(folder, 'hubwatch.db')}"}
web: {listen: "127.0.0.1:0"}
`,
    );
  });

  afterAll(async () => {
    await node.close();
    rmSync(folder, { recursive: true });
  });

  it('check: a late heartbeat is a warning, a healthy node is OK', async () => {
    const late = await check('five', '--rule', 'HubNodeHeartbeatLate,HubNodeInactive');
    expect(late.text).toMatch(
      /^HUBWATCH WARNING - five: heartbeat late, deadline \S+ \S+ UTC \| firing=1 unknown=0 ok=1 .*'five left'=\d+s/,
    );
    expect(late.code).toBe(1);
    const well = await check('one', '--rule', 'HubNodeHeartbeatLate,HubNodeInactive');
    expect(well.text).toMatch(/^HUBWATCH OK - 2 verdicts well, block 901903 \| /);
    expect(well.code).toBe(0);
  });

  it('check: one round suffices to detect that a node is inactive or was never registered', async () => {
    await node.advanceTo(901_910);
    const lapsed = await check('five');
    expect(lapsed.text).toMatch(/^HUBWATCH CRITICAL - five: inactive since /);
    expect(lapsed.code).toBe(2);
    const stranger = await check('stranger');
    expect(stranger.text).toMatch(/^HUBWATCH CRITICAL - stranger: the chain has no such node/);
    expect(stranger.code).toBe(2);
  });

  it('check: an endpoint that answers over every transport is OK after one round', async () => {
    expect(await check('own', '--rule', 'HubEndpointDown,HubOwnNodeDown')).toMatchObject({
      code: 0,
      text: expect.stringMatching(/^HUBWATCH OK - /) as string,
    });
  });

  it('check: next to a running daemon it uses neither its store nor its address', async () => {
    const text = `endpoints: [{name: own, grpc: "${node.grpc}"}]\nweb: {listen: "127.0.0.1:0"}\nstore: {path: "${join(folder, 'hubwatch.db')}"}`;
    const app = await startApp(parseConfig(text), { clock: systemClock, logger: createLogger('silent') });
    try {
      expect(await check('own', '--rule', 'HubOwnNodeDown,HubEndpointDown')).toMatchObject({
        code: 0,
        text: expect.stringMatching(/^HUBWATCH OK - /),
      });
      expect((await fetch(`${app.address()}/-/healthy`)).status).toBe(200);
    } finally {
      await app.close();
    }
  });

  it('check: an unreachable node is critical, and a usage error is unknown: one line each', async () => {
    const wrong = await check('fiev');
    expect(wrong).toEqual({
      code: 3,
      text: 'HUBWATCH UNKNOWN - check: nothing is watched under "fiev"; did you mean five? Allowed: own, five, one, stranger\n',
    });
    await node.close();
    const down = await check();
    expect(down.text).toMatch(/^HUBWATCH CRITICAL - chain: no endpoint works/);
    expect([down.code, down.text.split('\n').length]).toEqual([2, 2]);
  });
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram, workspace } from '@hubwatch/bench/consumers';
import { systemClock } from '@hubwatch/daemon';
import { diagnose, type Diagnosis, doctorReport, findingsOf, maxRequests, noColours } from '@hubwatch/daemon/doctor';
import { startDevnode } from '@hubwatch/devnode';
import { startFaultProxy } from '@hubwatch/devnode/faults';
import { describe, expect, it, onTestFinished } from 'vitest';
import { arrange, variants } from './doctor-variants.js';

const folder = join(import.meta.dirname, '../fixtures/doctor');

/** Addresses that a report shows instead of the ports of this run. */
const shown = { grpc: '127.0.0.1:9090', rest: 'http://127.0.0.1:1317', rpc: 'http://127.0.0.1:26657' } as const;

const shownAt = (name: 'grpc' | 'rest' | 'rpc', address: string): string => {
  if (!address.includes('127.0.0.1')) return address;
  const bare = shown[name].replace('http://', '');
  return address.replace(/127\.0\.0\.1:\d+/, bare);
};

/** The diagnosis with default ports and a fixed duration, and otherwise unchanged, so that it is equal on every machine. */
const atUsualPorts = (diagnosis: Diagnosis): Diagnosis => ({
  ...diagnosis,
  tookMs: 400,
  ways: new Map([...diagnosis.ways].map(([name, way]) => [name, { ...way, address: shownAt(name, way.address) }])),
});

const look = async (name: string): Promise<Diagnosis> => {
  const variant = variants.find((one) => one.name === name);
  if (variant === undefined) throw new Error(`there is no variant ${name}`);
  const { subject, atMs, timeoutMs, lookup, close } = await arrange(variant);
  onTestFinished(close);
  return diagnose(subject, {
    // Its timers are real, but its time does not advance.
    clock: { ...systemClock, nowMs: () => atMs, monotonicMs: () => 0 },
    timeoutMs,
    signal: new AbortController().signal,
    lookup,
    random: () => 0.5,
  });
};

describe('doctor', () => {
  it.each(variants.map(({ name }) => name))('doctor: %s: the report is equal byte for byte', async (name) => {
    const diagnosis = atUsualPorts(await look(name));
    const report = doctorReport(diagnosis, findingsOf(diagnosis), noColours);
    await expect(report).toMatchFileSnapshot(join(folder, `${name}.txt`));
    const longest = Math.max(...report.split('\n').map((line) => line.length));
    expect(longest).toBeLessThanOrEqual(80);
    expect(diagnosis.requests).toBeLessThanOrEqual(maxRequests);
  });

  it('doctor: every report belongs to a variant', () => {
    expect(readdirSync(folder).toSorted()).toEqual(variants.map(({ name }) => `${name}.txt`).toSorted());
  });

  it.each(['README.md', 'docs/doctor.md'])('doctor: %s shows actual reports', (page) => {
    const text = readFileSync(join(import.meta.dirname, '../../..', page), 'utf8');
    const reports = [...text.matchAll(/```text\n(hubwatch doctor: .*?)```/gs)].map(([, report = '']) => report);
    const kept = variants.map(({ name }) => readFileSync(join(folder, `${name}.txt`), 'utf8'));
    expect(reports.length).toBeGreaterThan(0);
    for (const report of reports) expect(kept).toContain(report);
  });

  it('doctor: calls nothing that could change the node, and only the documented methods', async () => {
    const asked: string[] = [];
    const node = await startDevnode({ mode: 'moving', chain: 'chain', speed: 'manual', from: 902_500 });
    // A proxy that does not forward the page of methods: only a call can show whether a method is exposed.
    const rpc = await startFaultProxy({
      target: node.rpc,
      mode: 'http',
      plan: {
        answer({ path, body }) {
          asked.push(`${path} ${body}`);
          return path === '/' && body === '' ? { kind: 'status', status: 404 } : undefined;
        },
      },
    });
    const calls: string[] = [];
    const [grpc, rest] = await Promise.all([
      startFaultProxy({ target: node.grpc, mode: 'grpc', plan: { stream: (path) => void calls.push(path) } }),
      startFaultProxy({ target: node.rest, mode: 'http', plan: { answer: ({ path }) => void calls.push(path) } }),
    ]);
    onTestFinished(async () => {
      await Promise.all([rpc, grpc, rest].map((one) => one.close()));
      await node.close();
    });
    const addresses = { grpc: grpc.address, rest: rest.url, rpc: rpc.url };
    const subject = { name: 'node', how: 'given', naming: 'auto', depths: [], addresses } as const;
    const { signal } = new AbortController();
    const diagnosis = await diagnose(subject, { clock: systemClock, timeoutMs: 2_000, signal });
    expect(findingsOf(diagnosis)).toEqual([]);
    expect(diagnosis.engine?.exposesUnsafe).toBe(false);
    const methods = asked.map((one) => /"method":"(\w+)"/.exec(one)?.[1] ?? one.trim());
    expect([...new Set(methods)].toSorted()).toEqual(
      [
        ...['/', '/websocket', 'abci_info', 'abci_query', 'block_results', 'block_search'],
        ...['dial_seeds', 'net_info', 'status'],
      ].toSorted(),
    );
    // One parameter would run it; with five it is rejected first.
    expect(asked.filter((one) => one.includes('dial_seeds'))).toEqual([
      expect.stringContaining('"params":["x","y","z","v","w"]'),
    ]);
    expect(calls.filter((path) => /broadcast|simulate|\.Msg/i.test(path))).toEqual([]);
    expect(asked.length + calls.length).toBeLessThanOrEqual(diagnosis.requests);
  });

  it('probe: prints heights, age and chain as key-value pairs for scripts', async () => {
    const node = await startDevnode({ mode: 'moving', chain: 'chain', speed: 'manual', from: 902_500 });
    onTestFinished(() => node.close());
    const { grpc, rest, rpc } = node;
    const file = join(workspace, 'packages/daemon/src/main.ts');
    const options = ['--conditions=@hubwatch/source', '--import', 'tsx', file, 'probe'];
    const { code, text } = await runProgram(
      process.execPath,
      [...options, '--grpc', grpc, '--rest', rest, '--rpc', rpc],
      workspace,
    );
    expect(text).toMatch(
      /^grpc up {3}height=902500 ms=\d+\nrest up {3}height=902500 ms=\d+\nrpc {2}up {3}height=902500 age_seconds=\d+ catching_up=false chain=hub-golden-1 ms=\d+\n$/,
    );
    expect(code).toBe(0);
  });
});

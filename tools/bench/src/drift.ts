import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drift as checkDrift } from '@hubwatch/codegen';
import { startDevnode } from '@hubwatch/devnode';
import type { Benchmark } from './benchmark.js';
import { workspace } from './consumers/index.js';
import { median } from './median.js';

/** Drift check of every listed service over loopback, including the connection. */
export const drift: Benchmark = {
  name: 'drift',
  about:
    'drift check of 41 services over loopback, everything compared anew, beside one that met the same bytes before',
  async run({ runs = 21, log }) {
    const node = await startDevnode({ mode: 'moving', speed: 'manual' });
    const project = mkdtempSync(join(tmpdir(), 'hubwatch-bench-'));
    try {
      for (const path of ['proto', 'hubwatch-codegen.yml']) {
        cpSync(join(workspace, path), join(project, path), { recursive: true });
      }
      const measure = async (): Promise<number> => {
        const began = performance.now();
        const { drifts, services } = await checkDrift(project, node.grpc);
        const ms = performance.now() - began;
        if (drifts.length > 0 || services !== 41) throw new Error(`${services} services, ${drifts.length} drifts`);
        return ms;
      };
      const forget = (): void => rmSync(join(project, 'node_modules'), { recursive: true, force: true });
      // The simulated node loads its descriptors on the first request, while a real one has them in memory.
      const first = await measure();
      const [anew, again]: [number[], number[]] = [[], []];
      for (let round = 0; round < runs; round++) {
        forget();
        anew.push(await measure());
        again.push(await measure());
      }
      log(`  everything compared: ${anew.map((ms) => ms.toFixed(0)).join(' ')} ms`);
      log(`  the same bytes again: ${again.map((ms) => ms.toFixed(0)).join(' ')} ms`);
      return {
        figure: median(anew),
        target: 100,
        unit: 'ms',
        figures: { 'the same bytes again': `${median(again).toFixed(0)} ms`, 'first check': `${first.toFixed(0)} ms` },
      };
    } finally {
      await node.close();
      rmSync(project, { recursive: true });
    }
  },
};

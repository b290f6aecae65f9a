import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drift as checkDrift, fetchDescriptors } from '@hubwatch/codegen';
import { startDevnode } from '@hubwatch/devnode';
import type { Benchmark } from './benchmark.js';
import { workspace } from './consumers/index.js';
import { median } from './median.js';

/**
 * Drift check of every listed service over loopback, including the connection, compared with fetching the descriptors only. The
 * node returns the same bytes as in the check before, the usual case; the duration of a full comparison is printed too.
 */
export const drift: Benchmark = {
  name: 'drift',
  about:
    'drift check of 41 services over loopback against an unchanged node, compared with fetching the same descriptors',
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
      const fetchOnly = async (): Promise<number> => {
        const began = performance.now();
        const { services } = await fetchDescriptors(node.grpc, { listedOnly: true });
        if (services.length !== 41) throw new Error(`${services.length} services`);
        return performance.now() - began;
      };
      const [anew, again, fetched]: [number[], number[], number[]] = [[], [], []];
      for (let round = 0; round < runs; round++) {
        forget();
        anew.push(await measure());
        again.push(await measure());
        fetched.push(await fetchOnly());
      }
      log(`  without memory: ${anew.map((ms) => ms.toFixed(0)).join(' ')} ms`);
      log(`  same bytes as before: ${again.map((ms) => ms.toFixed(0)).join(' ')} ms`);
      return {
        figure: median(again) / median(fetched),
        target: 1.5,
        unit: '× fetching',
        figures: {
          'drift check, same bytes as before': `${median(again).toFixed(0)} ms`,
          'fetching the descriptors': `${median(fetched).toFixed(0)} ms`,
          'drift check that parses and compares everything': `${median(anew).toFixed(0)} ms`,
          'first drift check': `${first.toFixed(0)} ms`,
        },
      };
    } finally {
      await node.close();
      rmSync(project, { recursive: true });
    }
  },
};

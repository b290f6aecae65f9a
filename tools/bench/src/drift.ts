import { resolve } from 'node:path';
import { drift as checkDrift } from '@hubwatch/codegen';
import { startDevnode } from '@hubwatch/devnode';
import type { Benchmark } from './benchmark.js';
import { median } from './median.js';

const root = resolve(import.meta.dirname, '../../..');

/** Drift check of every listed service over loopback, connection included. */
export const drift: Benchmark = {
  name: 'drift',
  about: 'drift check of 41 services over loopback, beside the first check of a process',
  async run({ runs = 15, log }) {
    const node = await startDevnode({ mode: 'moving', speed: 'manual' });
    try {
      const measure = async (): Promise<number> => {
        const began = performance.now();
        const { drifts, services } = await checkDrift(root, node.grpc);
        if (drifts.length > 0 || services !== 41) throw new Error(`${services} services, ${drifts.length} drifts`);
        return performance.now() - began;
      };
      // The simulated node reads its descriptors with the first question, a real one has them in memory.
      const first = await measure();
      const all: number[] = [];
      for (let round = 0; round < runs; round++) all.push(await measure());
      log(`  rounds: ${all.map((ms) => ms.toFixed(0)).join(' ')} ms`);
      return { figure: median(all), target: 100, unit: 'ms', figures: { 'first check': `${first.toFixed(0)} ms` } };
    } finally {
      await node.close();
    }
  },
};

import type { Benchmark } from './benchmark.js';
import { start } from './start.js';

/** Every benchmark that `npm run bench` knows. A new benchmark is one file and one line here. */
export const benchmarks: readonly Benchmark[] = [start];

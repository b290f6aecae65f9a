import { basename } from 'node:path';
import { defineConfig, type ViteUserConfig } from 'vitest/config';

/**
 * Test settings of every package: source files of the other packages instead of built ones, and a report that can be
 * counted.
 * @param isolate runs each test file in a separate process, for tests that share folders and programs of the machine
 */
export function project(folder: string, { isolate = false } = {}): ViteUserConfig {
  return defineConfig({
    root: folder,
    resolve: { conditions: ['@hubwatch/source'] },
    ssr: { resolve: { conditions: ['@hubwatch/source', 'node', 'import', 'default'] } },
    test: {
      name: basename(folder),
      include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
      environment: 'node',
      // Importing the sources again for each file took two thirds of the run time.
      isolate,
      reporters: ['default', ['json', { outputFile: '.reports/vitest.json' }]],
      // Limits for hanging tests, generous enough for a busy machine.
      testTimeout: 600_000,
      hookTimeout: 300_000,
      expect: { poll: { timeout: 120_000 } },
    },
  });
}

import { basename } from 'node:path';
import { defineConfig, type ViteUserConfig } from 'vitest/config';

/** Test settings of every package: source files of the other packages instead of built ones, and a report that can be counted. */
export function project(folder: string): ViteUserConfig {
  return defineConfig({
    root: folder,
    resolve: { conditions: ['@hubwatch/source'] },
    ssr: { resolve: { conditions: ['@hubwatch/source', 'node', 'import', 'default'] } },
    test: {
      name: basename(folder),
      include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
      environment: 'node',
      reporters: ['default', ['json', { outputFile: '.reports/vitest.json' }]],
      testTimeout: 30_000,
      hookTimeout: 30_000,
      // A busy machine takes longer than the second that polling waits by default.
      expect: { poll: { timeout: 10_000 } },
    },
  });
}

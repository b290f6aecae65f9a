import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { conditions: ['@hubwatch/source'] },
  ssr: { resolve: { conditions: ['@hubwatch/source'] } },
  test: { include: ['src/**/*.test.ts', 'test/**/*.test.ts'], testTimeout: 20_000 },
});

import { defineConfig } from 'vitest/config';

// Unit: pure and fast, in parallel. Server: real embedded PostgreSQL and ClickHouse, one set of stores per worker.
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['packages/*/src/**/*.test.ts', 'apps/cli/src/**/*.test.ts', 'tools/**/*.test.ts'],
          exclude: ['packages/engine/src/**/*.pg.test.ts', '**/node_modules/**'],
          environment: 'node',
        },
      },
      {
        test: {
          name: 'server',
          include: ['apps/server/src/**/*.test.ts', 'packages/engine/src/**/*.pg.test.ts'],
          environment: 'node',
          globalSetup: './tools/test-stores.ts',
          testTimeout: 30_000,
          hookTimeout: 120_000,
          maxWorkers: 2,
        },
      },
      'apps/dashboard/vite.config.ts',
    ],
  },
});

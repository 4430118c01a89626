import { defineConfig } from 'vitest/config';

const dashboardSetup = `${import.meta.dirname}/apps/dashboard/src/test-setup.ts`;

// Unit: pure and fast, in parallel. Server: on real embedded PostgreSQL and ClickHouse, a database per file. Dashboard:
// components in jsdom, what needs no document without one. E2e: journeys in a real browser against the built product.
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['packages/*/src/**/*.test.ts', 'apps/cli/src/**/*.test.ts', 'tools/**/*.test.ts'],
          exclude: ['packages/engine/src/**/*.pg.test.ts', 'tools/joints/**', '**/node_modules/**'],
          environment: 'node',
          isolate: false,
          // Property tests on a busy machine take long without being wrong; speed is what benches are for.
          testTimeout: 60_000,
          expect: { poll: { timeout: 20_000 } },
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: 'server',
          include: ['apps/server/src/**/*.test.ts', 'packages/engine/src/**/*.pg.test.ts', 'tools/joints/**/*.test.ts'],
          environment: 'node',
          globalSetup: './tools/test-stores.ts',
          // Loading the server anew for every file took a third of the time; nothing here keeps state between files.
          isolate: false,
          // Ends what hangs; a busy machine may take its time.
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect: { poll: { timeout: 30_000 } },
          // One more than two cores: each waits for its database a seventh of the time.
          maxWorkers: 3,
        },
      },
      {
        extends: './apps/dashboard/vite.config.ts',
        root: './apps/dashboard',
        test: {
          name: 'dashboard',
          include: ['src/**/*.test.tsx'],
          environment: 'jsdom',
          // Files share a process: to begin one and load the packages took longer than most of them do.
          isolate: false,
          setupFiles: [dashboardSetup],
          // Stylesheets are not needed, except where one is what is tested.
          css: { include: [/tokens\.css/] },
          pool: 'threads',
          testTimeout: 60_000,
          expect: { poll: { timeout: 20_000 } },
          maxWorkers: 2,
        },
      },
      {
        extends: './apps/dashboard/vite.config.ts',
        root: './apps/dashboard',
        test: {
          name: 'dashboard-logic',
          include: ['src/**/*.test.ts'],
          environment: 'node',
          isolate: false,
          setupFiles: [dashboardSetup],
          css: { include: [/tokens\.css/] },
          testTimeout: 60_000,
          expect: { poll: { timeout: 20_000 } },
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['e2e/**/*.test.ts'],
          environment: 'node',
          globalSetup: './e2e/src/shared-product.ts',
          setupFiles: './e2e/src/silent-pages.ts',
          testTimeout: 180_000,
          // A browser on a busy shared machine loses a moment now and then; what fails twice is broken.
          retry: process.env.CI === 'true' ? 1 : 0,
          hookTimeout: 600_000,
          expect: { poll: { timeout: 60_000 } },
          // Each file has a browser of its own, and some a product; more at once than two cores carry only wait for each other.
          maxWorkers: 2,
        },
      },
    ],
  },
});

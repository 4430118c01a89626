/**
 * One start of the product for all journeys that leave it running and need no variables of their own. They share its
 * people and tenants, so each brings its own people, and nothing it does may show in the screens of others.
 */
import type { TestProject } from 'vitest/node';
import { type DemoFile, startAirdeck } from './airdeck-process.ts';
import { behindProxy } from './visitor.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    demo: DemoFile;
  }
}

// biome-ignore lint/style/noDefaultExport: vitest calls the default export of a global setup.
export default async function startSharedProduct(project: TestProject): Promise<() => Promise<void>> {
  const airdeck = await startAirdeck(behindProxy);
  project.provide('demo', airdeck.demo);
  return () => airdeck.close();
}

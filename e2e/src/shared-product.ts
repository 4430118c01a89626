/**
 * One start of the product for all journeys that leave it running and need no variables of their own. They share its
 * people and tenants, so each brings its own people, and nothing it does may show in the screens of others.
 */
import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { TestProject } from 'vitest/node';
import { type DemoFile, startAirdeck } from './airdeck-process.ts';
import { behindProxy } from './visitor.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    demo: DemoFile;
    /** Where the product asks for the proof of a domain; nobody answers there until a journey does. */
    nameServerPort: number;
  }
}

// biome-ignore lint/style/noDefaultExport: vitest calls the default export of a global setup.
export default async function startSharedProduct(project: TestProject): Promise<() => Promise<void>> {
  const nameServerPort = await freeUdpPort();
  const airdeck = await startAirdeck({ ...behindProxy, DNS_SERVERS: `127.0.0.1:${nameServerPort}` });
  project.provide('demo', airdeck.demo);
  project.provide('nameServerPort', nameServerPort);
  return () => airdeck.close();
}

/** Below those the system hands out: nobody else gets it until the journey listens there. */
async function freeUdpPort(): Promise<number> {
  const port = randomInt(20_000, 32_000);
  const socket = createSocket('udp4').bind(port, '127.0.0.1');
  const isFree = await once(socket, 'listening').then(
    () => true,
    () => false,
  );
  await new Promise<void>((resolve) => socket.close(() => resolve()));
  return isFree ? port : await freeUdpPort();
}

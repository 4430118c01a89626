import { randomUUID } from 'node:crypto';
import { createApiClient } from '@airdeck/api-client/client';
import type { DemoFile } from './airdeck-process.ts';

type DemoUser = DemoFile['users'][number];

/** The typed client with a demo user's API key: what a script of a customer would use. */
export function apiOf(demo: DemoFile, user: DemoUser) {
  return createApiClient({
    baseUrl: demo.url,
    getToken: () => Promise.resolve(user.api_key),
    fetch: globalThis.fetch,
    onUnauthorized: () => undefined,
    newId: randomUUID,
  });
}

export function userOf(demo: DemoFile, role: string): DemoUser {
  const user = demo.users.find((candidate) => candidate.role === role);
  if (!user) throw new Error(`The demo has no ${role}.`);
  return user;
}

/** What the sandbox's vendors received. */
export async function sandboxState(demo: DemoFile): Promise<{
  calls: { vendor: string; method: string; path: string; body: unknown }[];
  fortigate: { addresses: { name: string; subnet: string }[]; groups: Record<string, string[]> };
}> {
  const answer = await fetch(`http://127.0.0.1:${demo.ports.sandbox}/sandbox/state`);
  return (await answer.json()) as Awaited<ReturnType<typeof sandboxState>>;
}

import { expect, test } from 'vitest';
import { createTelemetryQueue } from '../lib/telemetry-queue.ts';
import type { AppContext } from '../session/app-context.ts';
import { ownTenant } from '../session/fixtures.ts';
import { startTelemetry } from './start-telemetry.ts';

test('what was seen before the sign-in is told after it, by a call that outlives the page that is hidden', async () => {
  const calls: unknown[] = [];
  let session: { currentTenant: string } | undefined;
  const queue = createTelemetryQueue();
  const app = {
    api: { call: async (...call: unknown[]) => void calls.push(call) },
    session: { get: () => session },
  } as unknown as Pick<AppContext, 'api' | 'session'>;
  const config = { analytics_host: '/collect', error_reporting_dsn: '', release: '1.14.2' } as AppContext['config'];
  await startTelemetry({ app, queue, config, person: () => undefined });
  const hide = () => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
    Reflect.deleteProperty(document, 'visibilityState');
  };
  queue.add({ kind: 'view', route: '/login' });
  hide();
  expect(calls).toEqual([]);
  session = { currentTenant: ownTenant };
  hide();
  expect(calls).toEqual([
    ['telemetry.report', { params: { tenant: ownTenant }, body: { views: ['/login'], errors: [] }, keepalive: true }],
  ]);
});

import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestServer, type TestServer } from '../../http/test-server.ts';
import { trustedTenantScope } from '../../tenant-scope.ts';
import { eventVolume } from './event-volume.ts';

/** Half past: the hour from 12:00 goes on. */
const now = new Date('2026-11-21T12:30:00Z');
let server: TestServer;
let tenant: string;

beforeAll(async () => {
  server = await createTestServer();
  tenant = await server.createTenant();
  const byHour = new Map([
    [Date.parse('2026-11-21T10:00:00Z'), { events: 60, bytes: 6_000 }],
    [Date.parse('2026-11-21T11:00:00Z'), { events: 600, bytes: 60_000 }],
    [Date.parse('2026-11-21T12:00:00Z'), { events: 30, bytes: 3_000 }],
  ]);
  const sourceId = v7();
  await server.stores.database.system(async (tx) => {
    await tx
      .insertInto('event_source')
      .values({
        ...{ id: sourceId, tenant_id: tenant, name: 'Firewall', kind: 'syslog', created_at: now },
        ...{ token_hash: Buffer.from(sourceId), token_hint: 'abcd' },
      })
      .execute();
    await eventVolume.add(tx, [{ tenantId: tenant, sourceId, receivedAt: now.getTime(), byHour }]);
  });
});
afterAll(() => server?.close());

async function read(from: string, until: string, buckets = 1, bucketMs = 3_600_000) {
  const [start, end] = [new Date(`2026-11-21T${from}Z`), new Date(`2026-11-21T${until}Z`)];
  const period = { start, end, buckets, bucketMs, now };
  return await server.stores.database.tenant(tenant, (tx) => eventVolume.read(tx, trustedTenantScope(tenant), period));
}
const events = async (from: string, until: string) => (await read(from, until)).events;

describe('volume of a period', () => {
  it('has whole hours whole', async () => {
    expect(await read('10:00:00', '12:00:00')).toMatchObject({ events: 660, bytes: 66_000 });
  });

  it('has the part of an hour that lies in it, not all of it', async () => {
    expect(await events('10:30:00', '11:00:00')).toBe(30);
    expect(await events('11:00:30', '11:00:40')).toBe(2);
    expect(await events('09:59:59', '10:00:00')).toBe(0);
  });

  it('shares the hour at its edge with the period that follows', async () => {
    const [before, after] = [await events('10:00:00', '11:15:00'), await events('11:15:00', '12:30:00')];
    expect([before, after, before + after]).toEqual([210, 480, await events('10:00:00', '12:30:00')]);
  });

  it('has all of the hour that goes on up to now, and its part before that', async () => {
    expect(await events('12:00:00', '12:30:00')).toBe(30);
    expect(await events('12:00:00', '12:10:00')).toBe(10);
    expect(await events('12:00:00', '13:00:00')).toBe(30);
  });

  it('has a history that sums up to it', async () => {
    const { events: all, history } = await read('10:30:00', '12:30:00', 2);
    expect(history.map(({ count }) => count)).toEqual([630, 30]);
    expect(all).toBe(660);
  });

  it('has a history of whole parts, the last of which may be short', async () => {
    const { history } = await read('10:00:00', '12:30:00', 2, 2 * 3_600_000);
    expect(history).toEqual([
      { t: '2026-11-21T10:00:00.000Z', count: 660 },
      { t: '2026-11-21T12:00:00.000Z', count: 30 },
    ]);
  });
});

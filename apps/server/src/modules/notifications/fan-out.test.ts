import { v7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createFanOut, type FanOut } from './fan-out.ts';
import { caseOpened, createNotificationsFixture, type NotificationsFixture, wants } from './notifications-fixture.ts';

let fixture: NotificationsFixture;
let tenant: string;

beforeAll(async () => {
  fixture = await createNotificationsFixture();
});
afterAll(() => fixture?.close());
beforeEach(async () => {
  tenant = await fixture.tenant();
});

const create = (rowsPerRound?: number) => createFanOut({ ...fixture, now: () => fixture.clock.now }, rowsPerRound);
const held = async ({ id }: { id: string }) => (await fixture.inbox(id)).length;
const queued = () =>
  fixture.db.system(async (tx) => (await tx.selectFrom('notification_event').select('id').execute()).length);

async function tell(fanOut: FanOut, count: number): Promise<void> {
  for (let number = 1; number <= count; number++) await fixture.tell(caseOpened(tenant, number));
  while (await fanOut.round());
}

describe('the list of a reader', () => {
  /** Somebody with as many as are kept. */
  async function fullReader() {
    const reader = await fixture.person(tenant, 'Analyst', wants('case_opened', 'in_app'));
    const text = { kind: 'case_opened' as const, title: 'Earlier', text: '', link: null };
    const facts = { ...text, tenant_id: tenant, user_id: reader.id };
    const created_at = new Date(fixture.clock.now.getTime() - 1);
    const rows = Array.from({ length: 1_000 }, () => ({ ...facts, event_id: v7(), created_at }));
    await fixture.db.system((tx) => tx.insertInto('notification').values(rows).execute());
    return reader;
  }

  it('is walked for what lies beyond the thousand only after fifty more', async () => {
    const reader = await fullReader();
    const fanOut = create();
    await tell(fanOut, 1);
    expect(await held(reader)).toBe(1_001);
    await tell(fanOut, 48);
    expect(await held(reader)).toBe(1_049);
    await tell(fanOut, 1);
    expect(await held(reader)).toBe(1_000);
    await tell(fanOut, 49);
    expect(await held(reader)).toBe(1_049);
  });

  it('does not grow with every restart: what a process had counted is found without it', async () => {
    const reader = await fullReader();
    await tell(create(), 25);
    await create().prune();
    expect(await held(reader)).toBe(1_025);
    await tell(create(), 26);
    expect(await held(reader)).toBe(1_051);
    await fixture.module.purge();
    expect(await held(reader)).toBe(1_000);
  });
});

describe('one round', () => {
  it('ends with the event that passes its bound, and leaves the others to the next, which tell each once', async () => {
    const wanted = { ...wants('case_opened', 'in_app', 'mail'), digest: 'hourly' as const };
    const readers = [];
    for (let count = 0; count < 3; count++) readers.push(await fixture.person(tenant, 'Analyst', wanted));
    for (let number = 1; number <= 5; number++) await fixture.tell(caseOpened(tenant, number));
    // Six rows an event: three notifications, three deliveries.
    const fanOut = create(6);
    const left = [];
    while (await fanOut.round()) left.push(await queued());
    expect(left).toEqual([3, 1, 0]);
    for (const reader of readers) expect(await held(reader)).toBe(5);
    expect(await fixture.deliveries()).toHaveLength(15);
  });

  it('tells an event whole that is more than the bound by itself', async () => {
    const readers = [];
    for (let count = 0; count < 3; count++) {
      readers.push(await fixture.person(tenant, 'Analyst', wants('case_opened', 'in_app')));
    }
    await tell(create(1), 2);
    for (const reader of readers) expect(await held(reader)).toBe(2);
  });
});

import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { networkOf } from './account-notices.ts';
import {
  asked,
  caseOpened,
  createNotificationsFixture,
  type NotificationsFixture,
  wants,
} from './notifications-fixture.ts';

let fixture: NotificationsFixture;
let tenant: string;

beforeAll(async () => {
  fixture = await createNotificationsFixture();
});
afterAll(() => fixture?.close());
beforeEach(async () => {
  tenant = await fixture.tenant();
  fixture.later(3_600_000);
});

const titles = async (user: { id: string }) => (await fixture.inbox(user.id)).map((row) => row.title);

describe('who hears of what happened', () => {
  it('is everybody whose role is high enough, in that tenant only', async () => {
    const [analyst, admin, reader, left] = [
      await fixture.person(tenant, 'Analyst'),
      await fixture.person(tenant, 'Admin'),
      await fixture.person(tenant, 'ReadOnly'),
      await fixture.person(tenant, undefined),
    ];
    const elsewhere = await fixture.person(await fixture.tenant(), 'Admin');
    await fixture.tell(caseOpened(tenant));
    await fixture.work();
    for (const user of [analyst, admin]) expect(await titles(user)).toEqual(['CASE-1 opened: SSH password guessing']);
    for (const user of [reader, left, elsewhere]) expect(await titles(user)).toEqual([]);
  });

  it('is the person a case was given to', async () => {
    const [ana, bo] = [await fixture.person(tenant, 'Analyst'), await fixture.person(tenant, 'Analyst')];
    const facts = { caseId: tenant, reference: 'CASE-2', name: 'Odd sign-in', by: 'boss@example.com' };
    await fixture.tell({ kind: 'case_assigned', tenant, ...facts, assignee: ana.email });
    await fixture.tell({ kind: 'case_assigned', tenant, ...facts, assignee: 'nobody@example.com' });
    await fixture.work();
    expect(await titles(ana)).toEqual(['CASE-2 is yours: Odd sign-in']);
    expect(await titles(bo)).toEqual([]);
  });

  it('read it in their own language, in the dashboard and by mail', async () => {
    const [ana, bo] = [await fixture.person(tenant, 'Analyst'), await fixture.person(tenant, 'Analyst')];
    await fixture.reads(ana, 'pt-BR');
    const overdue = {
      reference: 'CASE-3',
      name: 'Odd sign-in',
      due: 'respond',
      assignee: null,
      caseId: tenant,
    } as const;
    const dueAt = new Date('2026-11-22T14:30:00Z');
    await fixture.tell({ kind: 'sla_breach', tenant, ...overdue, dueAt });
    await fixture.work();
    expect(await fixture.inbox(ana.id)).toMatchObject([
      {
        title: 'CASE-3 está atrasado para uma resposta: Odd sign-in',
        text: 'Prazo: nov 22, 2026 2:30 PM UTC.',
        times: [dueAt],
      },
    ]);
    expect(await fixture.inbox(bo.id)).toMatchObject([
      { title: 'CASE-3 is late for a response: Odd sign-in', text: 'Due Nov 22, 2026 2:30 PM UTC.', times: [dueAt] },
    ]);
    const [toAna] = await fixture.mails(ana.email);
    const [toBo] = await fixture.mails(bo.email);
    expect(toAna?.subject).toBe('AIRdeck: CASE-3 está atrasado para uma resposta: Odd sign-in');
    expect(toAna?.body).toMatch(/Prazo: .*O que você recebe, e como, depende de você:/s);
    expect(toBo?.body).toMatch(/Due .*What you are told, and how, is up to you:/s);
  });

  it('read times in their own zone, on every channel, and in UTC where they have none', async () => {
    const wanted = wants('connector_down', 'in_app', 'mail');
    const readers = [
      ['pt-BR', 'America/Sao_Paulo', 'Desde nov 21, 2026 11:30 PM America/Sao_Paulo. No route, $& since 2026.'],
      ['en-CA', 'America/Sao_Paulo', 'Since Nov 21, 2026 11:30 PM America/Sao_Paulo. No route, $& since 2026.'],
      ['en-US', 'Asia/Tokyo', 'Since Nov 22, 2026 11:30 AM Asia/Tokyo. No route, $& since 2026.'],
      ['pt-BR', '', 'Desde nov 22, 2026 2:30 AM UTC. No route, $& since 2026.'],
      ['en-US', '', 'Since Nov 22, 2026 2:30 AM UTC. No route, $& since 2026.'],
      ['en-US', 'Mars/Olympus', 'Since Nov 22, 2026 2:30 AM UTC. No route, $& since 2026.'],
    ] as const;
    const people = [];
    for (const [locale, zone, text] of readers) {
      const user = await fixture.person(tenant, 'Admin', wanted);
      await fixture.reads(user, locale, zone);
      people.push({ user, text });
    }
    const since = new Date('2026-11-22T02:30:00Z');
    const facts = { connectorId: tenant, name: 'Firewall', reason: 'No route, $& since 2026.' };
    await fixture.tell({ kind: 'connector_down', tenant, ...facts, since });
    await fixture.work();
    for (const { user, text } of people) {
      expect(await fixture.inbox(user.id)).toMatchObject([{ text }]);
      const [mail] = await fixture.mails(user.email);
      expect(mail?.body).toContain(`\n\n${text}\n\n`);
    }
  });

  it('are those who may answer a question, by the rule that accepts answers', async () => {
    const [analyst, manager, named, reader] = [
      await fixture.person(tenant, 'Analyst'),
      await fixture.person(tenant, 'SystemManager'),
      await fixture.person(tenant, 'Analyst'),
      await fixture.person(tenant, 'ReadOnly'),
    ];
    const ask = (runName: string, approvers: object) => fixture.tell(asked(tenant, { runName, approvers }));
    await ask('Anybody', {});
    await ask('Managers', { role: 'SystemManager' });
    await ask('Named', { usernames: [named.email, reader.email] });
    await ask('Both', { usernames: [named.email, reader.email], role: 'SystemManager' });
    await fixture.work();
    const heard = async (user: { id: string }) => (await titles(user)).map((title) => title.split(' ')[0]);
    expect(await heard(analyst)).toEqual(['Anybody']);
    expect(await heard(manager)).toEqual(['Anybody', 'Managers', 'Both']);
    expect(await heard(named)).toEqual(['Anybody', 'Named', 'Both']);
    // Was named, and could not answer.
    expect(await heard(reader)).toEqual([]);
  });

  it('of a failed run is its starter, or the Admins where nobody started it', async () => {
    const [starter, admin] = [await fixture.person(tenant, 'Analyst'), await fixture.person(tenant, 'Admin')];
    const run = { kind: 'run_failed', tenant, runId: tenant, isPlaybook: true, reason: 'No answer.' } as const;
    await fixture.tell({ ...run, runName: 'Mine', starter: starter.id });
    await fixture.tell({ ...run, runName: 'Automatic', starter: null });
    await fixture.work();
    expect(await titles(starter)).toEqual(['Mine failed']);
    expect(await titles(admin)).toEqual(['Automatic failed']);
  });

  it('hears nothing of what was rolled back', async () => {
    const analyst = await fixture.person(tenant, 'Analyst');
    const failing = fixture.db.tenant(tenant, async (tx) => {
      await fixture.module.notices.tell(tx, caseOpened(tenant));
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    await fixture.work();
    expect(await titles(analyst)).toEqual([]);
  });

  it('hears everything once when several processes tell it at the same time', async () => {
    const readers = [await fixture.person(tenant, 'Analyst'), await fixture.person(tenant, 'Admin')];
    const wanted = { ...wants('case_opened', 'in_app', 'mail'), digest: 'hourly' as const };
    const collector = await fixture.person(tenant, 'Analyst', wanted);
    for (let number = 1; number <= 200; number++) await fixture.tell(caseOpened(tenant, number));
    const others = [fixture.start(), fixture.start(), fixture.module];
    await Promise.all(
      others.map(async (one) => {
        while (await one.round());
      }),
    );
    for (const reader of [...readers, collector]) expect(await fixture.inbox(reader.id)).toHaveLength(200);
    expect((await fixture.deliveries()).filter((row) => row.user_id === collector.id)).toHaveLength(200);
    fixture.later(3_600_000);
    await Promise.all(
      others.map(async (one) => {
        while (await one.round());
      }),
    );
    const mails = await fixture.mails(collector.email);
    expect(mails.map((mail) => mail.subject)).toEqual(['AIRdeck: 200 notifications']);
  });

  it('hears of an event once although the telling died and began again', async () => {
    const analyst = await fixture.person(tenant, 'Analyst', wants('case_opened', 'in_app', 'mail'));
    await fixture.tell(caseOpened(tenant));
    const dying = fixture.db.system(async (tx) => {
      await tx.deleteFrom('notification_event').where('tenant_id', '=', tenant).execute();
      throw new Error('died');
    });
    await expect(dying).rejects.toThrow('died');
    await fixture.work();
    await fixture.work();
    expect(await fixture.inbox(analyst.id)).toHaveLength(1);
    expect(await fixture.mails(analyst.email)).toHaveLength(1);
  });

  it('hears the rest while a newer release told something this one does not know, which waits for the newer one', async () => {
    const ana = await fixture.person(tenant, 'Analyst');
    const kindOf = (from: string, to: string) =>
      fixture.db.system((tx) =>
        sql`update notification_event set kind = ${to} where tenant_id = ${tenant} and kind = ${from}`.execute(tx),
      );
    await fixture.tell(caseOpened(tenant));
    await kindOf('case_opened', 'told_by_a_newer_release');
    const facts = { caseId: tenant, reference: 'CASE-2', name: 'Odd sign-in', by: 'boss@example.com' };
    await fixture.tell({ kind: 'case_assigned', tenant, ...facts, assignee: ana.email });
    await fixture.work();
    expect(await titles(ana)).toEqual(['CASE-2 is yours: Odd sign-in']);
    await kindOf('told_by_a_newer_release', 'case_opened');
    await fixture.work();
    expect(await titles(ana)).toHaveLength(2);
  });

  it('keeps the newest thousand', async () => {
    const analyst = await fixture.person(tenant, 'Analyst');
    await fixture.db.system((tx) =>
      tx
        .insertInto('notification_event')
        .values(
          Array.from({ length: 1_060 }, (_, index) => ({
            ...{
              id: `01a1fe00-0000-7000-8000-${String(index).padStart(12, '0')}`,
              tenant_id: tenant,
              kind: 'case_opened' as const,
            },
            ...{ audience: '{"role":"Analyst"}', title: `Event ${index}`, text: '', link: null },
            created_at: new Date(fixture.clock.now.getTime() + index),
          })),
        )
        .execute(),
    );
    await fixture.work();
    const kept = await fixture.inbox(analyst.id);
    expect([kept.length, kept[0]?.title]).toEqual([1_000, 'Event 60']);
  });

  it('reads names from logs as one line of plain text', async () => {
    const analyst = await fixture.person(tenant, 'Analyst');
    await fixture.tell({ ...caseOpened(tenant), name: `a\r\nBcc: x\u202e${'x'.repeat(500)}` } as never);
    await fixture.work();
    const [title = ''] = await titles(analyst);
    expect(title).toMatch(/^CASE-1 opened: a Bcc: x x+…$/);
    expect(title.length).toBe(200);
  });
});

describe('mails', () => {
  const mailed = (more: object = {}) => ({ ...wants('case_opened', 'mail'), ...more });

  it('lead into the dashboard and say of which tenant they are', async () => {
    const analyst = await fixture.person(tenant, 'Analyst', mailed());
    const happening = caseOpened(tenant, 7);
    await fixture.tell(happening);
    await fixture.work();
    const [mail] = await fixture.mails(analyst.email);
    expect(mail?.subject).toBe('AIRdeck: CASE-7 opened: SSH password guessing');
    expect(mail?.body).toContain(
      `\n\nhttps://air.example/air/case-management/${'caseId' in happening && happening.caseId}\n\n`,
    );
    expect(mail?.body).toContain('Tenant: Example Ltd');
    expect(await titles(analyst)).toEqual([]);
  });

  it('are one for five hundred alerts where they are collected', async () => {
    const analyst = await fixture.person(tenant, 'Analyst', mailed({ digest: 'hourly' }));
    for (let number = 1; number <= 500; number++) await fixture.tell(caseOpened(tenant, number));
    await fixture.work();
    expect(await fixture.mails(analyst.email)).toEqual([]);
    fixture.later(3_600_000);
    await fixture.work();
    const mails = await fixture.mails(analyst.email);
    expect(mails.map((mail) => mail.subject)).toEqual(['AIRdeck: 500 notifications']);
    expect(mails[0]?.body).toContain('- CASE-1 opened');
    expect(mails[0]?.body).toContain('and 450 more.');
    expect(await fixture.deliveries()).toEqual([]);
  });

  it('are one for five hundred alerts of a minute where they are not, too', async () => {
    const analyst = await fixture.person(tenant, 'Analyst', mailed());
    for (let number = 1; number <= 500; number++) await fixture.tell(caseOpened(tenant, number));
    await fixture.work();
    fixture.later(61_000);
    await fixture.work();
    const mails = await fixture.mails(analyst.email);
    expect(mails.map((mail) => mail.subject)).toEqual(['AIRdeck: 500 notifications']);
    expect(await fixture.deliveries()).toEqual([]);
  });

  it('are at most ten in a minute where they trickle in, and one for all that came beyond', async () => {
    const analyst = await fixture.person(tenant, 'Analyst', mailed());
    for (let number = 1; number <= 13; number++) {
      await fixture.tell(caseOpened(tenant, number));
      await fixture.work();
    }
    expect(await fixture.mails(analyst.email)).toHaveLength(10);
    fixture.later(61_000);
    await fixture.work();
    const mails = await fixture.mails(analyst.email);
    expect(mails).toHaveLength(11);
    expect(mails.at(-1)?.subject).toBe('AIRdeck: 3 notifications');
    expect(await fixture.deliveries()).toEqual([]);
  });

  it('lead whoever works in several tenants into the right one, from a list of several too', async () => {
    const analyst = await fixture.person(tenant, 'Analyst', mailed({ digest: 'hourly' }));
    const other = await fixture.tenant('Harbor Clinics');
    await fixture.db.system((tx) =>
      tx.insertInto('membership').values({ tenant_id: other, user_id: analyst.id, role: 'Analyst' }).execute(),
    );
    const happenings = [caseOpened(tenant, 1), caseOpened(other, 2)];
    for (const happening of happenings) await fixture.tell(happening);
    await fixture.work();
    fixture.later(3_600_000);
    await fixture.work();
    const [mail] = await fixture.mails(analyst.email);
    for (const happening of happenings) {
      const path = `/air/case-management/${'caseId' in happening && happening.caseId}?tenant=${happening.tenant}`;
      expect(mail?.body).toContain(`\n  https://air.example${path}\n`);
    }
  });

  const quiet = { quiet_hours: { enabled: true, from: '22:00', to: '07:00' } };

  it('wait for the end of the quiet hours in the zone of the profile, and are one then', async () => {
    fixture.clock.now = new Date('2026-12-01T23:00:00.000Z');
    const [utc, paulo] = [
      await fixture.person(tenant, 'Analyst', mailed(quiet)),
      await fixture.person(tenant, 'Analyst', mailed(quiet)),
    ];
    await fixture.db.system((tx) =>
      tx.updateTable('app_user').set({ timezone: 'America/Sao_Paulo' }).where('id', '=', paulo.id).execute(),
    );
    for (const number of [1, 2, 3]) await fixture.tell(caseOpened(tenant, number));
    await fixture.work();
    expect(await fixture.mails(utc.email)).toEqual([]);
    // Eight in the evening there.
    expect(await fixture.mails(paulo.email)).toHaveLength(3);
    fixture.clock.now = new Date('2026-12-02T06:59:00.000Z');
    await fixture.tell(caseOpened(tenant, 4));
    await fixture.work();
    expect(await fixture.mails(utc.email)).toEqual([]);
    fixture.clock.now = new Date('2026-12-02T07:00:00.000Z');
    await fixture.work();
    expect((await fixture.mails(utc.email)).map((mail) => mail.subject)).toEqual(['AIRdeck: 4 notifications']);
    expect(await fixture.mails(paulo.email)).toHaveLength(3);
    fixture.clock.now = new Date('2026-12-02T10:00:00.000Z');
    await fixture.work();
    expect((await fixture.mails(paulo.email)).at(-1)?.subject).toBe('AIRdeck: CASE-4 opened: SSH password guessing');
  });

  it('that became due before the quiet hours do not break into them', async () => {
    fixture.clock.now = new Date('2026-12-05T21:59:50.000Z');
    const analyst = await fixture.person(tenant, 'Analyst', mailed(quiet));
    for (let number = 1; number <= 12; number++) {
      await fixture.tell(caseOpened(tenant, number));
      await fixture.work();
    }
    expect(await fixture.mails(analyst.email)).toHaveLength(10);
    fixture.later(120_000);
    await fixture.work();
    expect(await fixture.mails(analyst.email)).toHaveLength(10);
    fixture.clock.now = new Date('2026-12-06T07:00:00.000Z');
    await fixture.work();
    expect((await fixture.mails(analyst.email)).at(-1)?.subject).toBe('AIRdeck: 2 notifications');
  });

  it('do not go to somebody whose right to read has ended meanwhile', async () => {
    const [left, disabled] = [
      await fixture.person(tenant, 'Analyst', mailed({ digest: 'hourly' })),
      await fixture.person(tenant, 'Analyst', mailed({ digest: 'hourly' })),
    ];
    await fixture.tell(caseOpened(tenant));
    await fixture.work();
    await fixture.db.system(async (tx) => {
      await tx.deleteFrom('membership').where('user_id', '=', left.id).execute();
      await tx.updateTable('app_user').set({ status: 'disabled' }).where('id', '=', disabled.id).execute();
    });
    fixture.later(3_600_000);
    await fixture.work();
    for (const user of [left, disabled]) expect(await fixture.mails(user.email)).toEqual([]);
    expect(await fixture.deliveries()).toEqual([]);
  });

  it('that wait do not go to somebody who has switched them off meanwhile', async () => {
    const [off, on] = [
      await fixture.person(tenant, 'Analyst', mailed({ digest: 'hourly' })),
      await fixture.person(tenant, 'Analyst', mailed({ digest: 'hourly' })),
    ];
    await fixture.tell(caseOpened(tenant));
    await fixture.work();
    await fixture.prefers(off, wants('case_opened', 'in_app'));
    fixture.later(3_600_000);
    await fixture.work();
    expect(await fixture.mails(off.email)).toEqual([]);
    expect(await fixture.mails(on.email)).toHaveLength(1);
    expect(await fixture.deliveries()).toEqual([]);
  });
});

describe('the security of an account', () => {
  const happened = (
    user: { id: string },
    action: 'password.change' | 'passkey.add' | 'session.sign_in',
    from?: [string, string],
  ) =>
    fixture.db.system((tx) =>
      fixture.module.accountNotices.tellUser(
        tx,
        { id: user.id, home_tenant_id: tenant },
        {
          ...{ externalId: user.id, action, outcome: 'ok', requestId: 'test' },
          ...(from && { from: { clientAddress: from[0], userAgent: from[1] } }),
        },
      ),
    );

  it('is told at once, whatever the hour and the digest, and outside of the home tenant too', async () => {
    fixture.clock.now = new Date('2026-12-03T23:00:00.000Z');
    const quiet = { quiet_hours: { enabled: true, from: '22:00', to: '07:00' }, digest: 'daily' as const };
    const user = await fixture.person(tenant, undefined, quiet);
    await happened(user, 'passkey.add');
    await fixture.work();
    expect((await fixture.mails(user.email)).map((mail) => mail.subject)).toEqual([
      'AIRdeck: A passkey was added to your account',
    ]);
    expect(await titles(user)).toEqual(['A passkey was added to your account']);
  });

  it('is told in the dashboard only where the account has mailed it already', async () => {
    const user = await fixture.person(tenant, 'Admin');
    await happened(user, 'password.change');
    await fixture.work();
    expect(await fixture.mails(user.email)).toEqual([]);
    expect(await titles(user)).toEqual(['Your password was changed']);
  });

  it('is told for a sign-in only from a device or network that is new for somebody who has another', async () => {
    const user = await fixture.person(tenant, 'Admin');
    await happened(user, 'session.sign_in', ['192.0.2.7', 'Firefox']);
    await happened(user, 'session.sign_in', ['192.0.2.99', 'Firefox']);
    await fixture.work();
    expect(await titles(user)).toEqual([]);
    await happened(user, 'session.sign_in', ['198.51.100.1', 'Firefox']);
    await happened(user, 'session.sign_in', ['192.0.2.7', 'curl']);
    await happened(user, 'session.sign_in', ['198.51.100.2', 'Firefox']);
    await fixture.work();
    expect(await titles(user)).toHaveLength(2);
  });

  it.each([
    ['192.0.2.7', '192.0.2'],
    ['::ffff:192.0.2.7', '192.0.2'],
    ['2001:db8:1:2::3', '2001:db8:1'],
    ['2001:0db8::1', '2001:db8:0'],
    ['::1', '0:0:0'],
  ])('takes %s for the network %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});

it('costs one row inside the transaction that detects, however many people will hear of it', async () => {
  for (let count = 0; count < 5; count++) await fixture.person(tenant, 'Admin');
  await fixture.tell(caseOpened(tenant));
  const counts = await fixture.db.system(async (tx) => ({
    events: await tx.selectFrom('notification_event').selectAll().where('tenant_id', '=', tenant).execute(),
    told: await tx.selectFrom('notification').selectAll().where('tenant_id', '=', tenant).execute(),
  }));
  expect([counts.events.length, counts.told.length]).toEqual([1, 0]);
});

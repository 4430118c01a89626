import { caseListQuerySchema } from '@airdeck/contracts/cases/schema';
import { sql } from 'kysely';
import { v7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { TenantScope } from '../../tenant-scope.ts';
import {
  burstOf,
  createDetectionFixture,
  type DetectionFixture,
  guessingRule,
} from '../detection/detection-fixture.ts';
import { unknownReader, wordsFor } from '../mail/mail-words.ts';
import { type Contact, createClockWatch } from './case-clock-watch.ts';
import { getSlaSettings, putSlaSettings } from './case-targets.ts';

const by = { actor: { kind: 'user', id: null, name: 'ada@example.com' }, requestId: null } as const;
const minutes = (n: number) => new Date(Date.parse('2026-03-01T12:00:00.000Z') + n * 60_000);
const nobody = { case_severities: [], channels: [] };

let fixture: DetectionFixture;
let tenant: TenantScope;
let id: string;
let contacts: Contact[];
/** The connection dies with what was told. */
let killed = false;
const told: { kind: string; due?: string; assignee?: string | null }[] = [];
const answered: { caseId: string; groupValues: object; trigger: string }[] = [];
const mails: { to: string; tenant: string | undefined; subject: string; text: string }[] = [];

beforeAll(async () => {
  fixture = await createDetectionFixture();
});
afterAll(() => fixture?.close());
beforeEach(async () => {
  told.length = 0;
  mails.length = 0;
  answered.length = 0;
  contacts = [];
  fixture.clock.now = minutes(0);
  tenant = await fixture.newTenant();
  await fixture.createPolicy(tenant, guessingRule());
  // High: a response within 60 minutes, closing within 24 hours.
  await fixture.ingest(burstOf(tenant, { src_ip: '203.0.113.9', count: 5 }));
  id = (await list()).cases[0]?.id ?? '';
});

const list = () =>
  fixture.db.tenant(tenant.tenantId, (tx) =>
    fixture.cases.service.list(tx, tenant, caseListQuerySchema.parse({ limit: 5 })),
  );
const detail = () => fixture.db.tenant(tenant.tenantId, (tx) => fixture.cases.service.get(tx, tenant, id));
const update = (change: Parameters<typeof fixture.cases.service.update>[2]['update']) =>
  fixture.db.tenant(tenant.tenantId, (tx) => fixture.cases.service.update(tx, tenant, { id, update: change, by }));

function watch() {
  return createClockWatch({
    ...{ db: fixture.db, now: () => fixture.clock.now, ids: v7, audit: fixture.audit },
    changes: { announce: () => Promise.resolve() },
    notices: {
      async tell(tx, happening) {
        // Tenants of other tests have clocks too.
        if (happening.tenant === tenant.tenantId) told.push(happening);
        if (killed) await sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx);
      },
    },
    responses: {
      onCaseTime: (_tx, { tenant: of, caseId, groupValues }, trigger) => {
        if (of === tenant.tenantId) answered.push({ caseId, groupValues, trigger });
        return Promise.resolve();
      },
    },
    mail: {
      queue: (_tx, mail) => {
        mails.push({ to: mail.to, tenant: mail.tenant, ...mail.write(wordsFor(unknownReader)) });
        return Promise.resolve();
      },
    },
    escalationContacts: () => Promise.resolve(new Map([[tenant.tenantId, contacts]])),
    tenantName: () => Promise.resolve('Example Ltd'),
    address: () => 'https://air.example.com/',
  });
}

async function lookAt(minute: number) {
  fixture.clock.now = minutes(minute);
  return await watch().look();
}

const heard = () => told.map(({ kind, due }) => `${kind} ${due}`);

describe('the clock of a case', () => {
  test('warns when a quarter is left, tells of the breach, and says each once', async () => {
    await lookAt(44);
    expect(heard()).toEqual([]);
    await lookAt(45);
    await lookAt(46);
    expect(heard()).toEqual(['sla_warning respond']);
    await lookAt(60);
    await lookAt(61);
    await lookAt(300);
    expect(heard()).toEqual(['sla_warning respond', 'sla_breach respond']);
    const shown = await detail();
    expect(shown.sla).toMatchObject({ breached: true, respond_by: minutes(60).toISOString() });
    expect(shown.activity.map(({ kind }) => kind)).toEqual(['opened', 'sla_warning', 'sla_breach']);
  });

  test('says each once to 20 processes that look at the same moment', async () => {
    fixture.clock.now = minutes(60);
    await Promise.all(Array.from({ length: 20 }, () => watch().look()));
    expect(heard()).toEqual(['sla_breach respond']);
    expect(answered.map(({ trigger }) => trigger)).toEqual(['respond_breach']);
  });

  test('says each once although the process was killed while it said it', async () => {
    fixture.clock.now = minutes(60);
    killed = true;
    await expect(watch().look()).rejects.toThrow();
    killed = false;
    told.length = 0;
    await watch().look();
    await watch().look();
    expect(heard()).toEqual(['sla_breach respond']);
    expect((await detail()).activity.map(({ kind }) => kind)).toEqual(['opened', 'sla_breach']);
  });

  test('lets automation answer what it tells of, and nothing else', async () => {
    await lookAt(45);
    await lookAt(46);
    await lookAt(60);
    await update({ alert_status: 'acknowledged' });
    await lookAt(18 * 60);
    await lookAt(5 * 24 * 60);
    const of = { caseId: id, groupValues: { src_ip: '203.0.113.9' } };
    expect(answered).toEqual([
      { ...of, trigger: 'respond_warning' },
      { ...of, trigger: 'respond_breach' },
      { ...of, trigger: 'resolve_warning' },
    ]);
  });

  test('says nothing of a response once there was one', async () => {
    await update({ alert_status: 'acknowledged' });
    await lookAt(70);
    expect(heard()).toEqual([]);
    await lookAt(18 * 60);
    expect(heard()).toEqual(['sla_warning resolve']);
  });

  test('says nothing of what was due more than a day ago, and shows it all the same', async () => {
    await lookAt(3 * 24 * 60);
    expect(heard()).toEqual([]);
    expect((await detail()).sla.breached).toBe(true);
  });

  test('stands still while it waits on the customer', async () => {
    fixture.clock.now = minutes(30);
    await update({ waiting_on_customer: true });
    await lookAt(500);
    expect(heard()).toEqual([]);
    expect((await detail()).sla).toMatchObject({ waiting_since: minutes(30).toISOString(), breached: false });
    await update({ waiting_on_customer: false });
    expect((await detail()).sla).toMatchObject({ waiting_since: null, respond_by: minutes(530).toISOString() });
    await lookAt(530);
    expect(heard()).toEqual(['sla_breach respond']);
  });

  test('warns with a quarter left of the time it ran, not as soon as it goes on', async () => {
    fixture.clock.now = minutes(5);
    await update({ waiting_on_customer: true });
    fixture.clock.now = minutes(1445);
    await update({ waiting_on_customer: false });
    expect((await detail()).sla).toMatchObject({ stood_s: 86_400, respond_by: minutes(1500).toISOString() });
    await lookAt(1484);
    expect([heard(), answered]).toEqual([[], []]);
    await lookAt(1485);
    expect(heard()).toEqual(['sla_warning respond']);
  });

  test('warns of closing after many days of waiting', async () => {
    const day = 24 * 60;
    await update({ alert_status: 'acknowledged', waiting_on_customer: true });
    fixture.clock.now = minutes(10 * day);
    await update({ waiting_on_customer: false });
    await lookAt(10 * day + 1);
    expect(heard()).toEqual([]);
    await lookAt(10.75 * day);
    expect(heard()).toEqual(['sla_warning resolve']);
  });

  test('is not late for a response that came while it waited on the customer', async () => {
    fixture.clock.now = minutes(5);
    await update({ waiting_on_customer: true });
    fixture.clock.now = minutes(300);
    await update({ alert_status: 'acknowledged' });
    expect((await detail()).sla).toMatchObject({ respond_by: minutes(355).toISOString(), breached: false });
    fixture.clock.now = minutes(400);
    await update({ waiting_on_customer: false });
    const closeBy = minutes(24 * 60 + 395).toISOString();
    expect((await detail()).sla).toMatchObject({
      ...{ respond_by: minutes(355).toISOString(), resolve_by: closeBy, stood_s: 395 * 60, breached: false },
    });
  });

  test('of a closed case tells nothing, and a closed case cannot wait', async () => {
    await update({ alert_status: 'closed', close_reason: 'benign' });
    await lookAt(2000);
    expect(heard()).toEqual([]);
    expect(await update({ waiting_on_customer: true })).toMatchObject({ kind: 'refused' });
  });
});

describe('the escalation', () => {
  const ana: Contact = { id: 'a', name: 'Ana', email: 'ana@example.com', notify: nobody };
  const cleo: Contact = { id: 'c', name: 'Cleo', email: 'cleo@example.com', notify: nobody };
  const bo: Contact = { id: 'b', name: 'Bo', email: 'bo@example.com', notify: nobody };

  test('writes to one contact after the other while nobody responds, and ends with the last', async () => {
    contacts = [ana, bo];
    await lookAt(60);
    // Whose language is known: a contact has no account.
    expect(mails).toMatchObject([{ to: 'ana@example.com', tenant: tenant.tenantId }]);
    // Into the tenant of the case: the contact may work in several.
    const link = `https://air.example.com/air/case-management/${id}?tenant=${tenant.tenantId}`;
    expect(mails[0]?.text.split('\n').at(-1)).toBe(link);
    await lookAt(89);
    expect(mails).toHaveLength(1);
    await lookAt(90);
    await lookAt(120);
    await lookAt(400);
    expect(mails.map(({ to }) => to)).toEqual(['ana@example.com', 'bo@example.com']);
    const story = (await detail()).activity.filter(({ kind }) => kind === 'escalated');
    expect(story.map(({ text }) => text)).toEqual(['Escalated to Ana by mail', 'Escalated to Bo by mail']);
  });

  test.each([
    ['somebody is gone from the list', [bo]],
    ['somebody came in front', [cleo, ana, bo]],
    ['they changed places', [bo, ana]],
  ])('leaves nobody out and writes to nobody twice when %s', async (_change, next) => {
    contacts = [ana, bo];
    await lookAt(60);
    contacts = next;
    for (const minute of [90, 120, 150, 180]) await lookAt(minute);
    const others = next.filter((contact) => contact !== ana);
    expect(mails.map(({ to }) => to)).toEqual([ana, ...others].map(({ email }) => email));
  });

  test('goes on behind those the release before has written to, who are known by place alone', async () => {
    contacts = [ana, bo, cleo];
    await lookAt(60);
    await fixture.db.system((tx) =>
      tx.deleteFrom('case_sla_notice').where('case_id', '=', id).where('kind', 'like', 'contact %').execute(),
    );
    for (const minute of [90, 120, 150]) await lookAt(minute);
    expect(mails.map(({ to }) => to)).toEqual([ana, bo, cleo].map(({ email }) => email));
  });

  test('stops when somebody responds', async () => {
    contacts = [ana, bo];
    await lookAt(60);
    await update({ alert_status: 'acknowledged' });
    await lookAt(200);
    expect(mails).toHaveLength(1);
  });

  test('passes over contacts who want no mail about it', async () => {
    contacts = [
      { ...ana, notify: { case_severities: ['critical'], channels: [] } },
      { ...bo, notify: { case_severities: [], channels: ['sms'] } },
    ];
    await lookAt(200);
    expect(mails).toEqual([]);
  });
});

describe('the targets of a tenant', () => {
  const set = (respond: number, basedOn: string | null) =>
    fixture.db.tenant(tenant.tenantId, async (tx) => {
      const { targets } = await getSlaSettings(tx, tenant);
      const input = {
        targets: { ...targets, high: { respond_minutes: respond, resolve_minutes: null } },
        based_on: basedOn,
      };
      return await putSlaSettings({ now: () => fixture.clock.now, audit: fixture.audit }, tx, tenant, { input, by });
    });

  test('count for cases from then on, and leave open ones alone', async () => {
    await set(10, null);
    expect((await detail()).sla.respond_by).toBe(minutes(60).toISOString());
    await fixture.ingest(burstOf(tenant, { src_ip: '203.0.113.10', count: 5 }));
    expect((await list()).cases[0]?.sla).toMatchObject({ respond_by: minutes(10).toISOString(), resolve_by: null });
  });

  test('are not written over by somebody who saw older ones', async () => {
    const first = await set(10, null);
    await expect(set(20, null)).rejects.toMatchObject({
      code: 'CONFLICT',
      details: [{ path: 'body.based_on', reason: 'FIELD_DIFFERENT_NOW' }],
    });
    fixture.clock.now = minutes(1);
    await set(20, first.updated_at);
    await expect(set(30, first.updated_at)).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  test('are set by one of twenty who try at once', async () => {
    const tries = await Promise.allSettled(Array.from({ length: 20 }, (_, index) => set(index + 1, null)));
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});

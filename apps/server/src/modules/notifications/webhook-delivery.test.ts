import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { forgetNotices } from './forget-person.ts';
import {
  asked,
  caseOpened,
  createNotificationsFixture,
  type NotificationsFixture,
  wants,
} from './notifications-fixture.ts';

type Received = { url: string; headers: IncomingHttpHeaders; body: string };

let fixture: NotificationsFixture;
let receiver: ReturnType<typeof createServer>;
let received: Received[] = [];
let answer = { status: 204, headers: {} as Record<string, string> };
/** Nobody is answered before as many have called. */
let answeredFrom = 0;
let unanswered: (() => void)[] = [];
/** Runs while a call is under way. */
let meanwhile: () => Promise<void>;
let base: string;
let tenant: string;

beforeAll(async () => {
  receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ url: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString() });
      unanswered.push(() => response.writeHead(answer.status, answer.headers).end());
      if (received.length < answeredFrom) return;
      void meanwhile().then(() => {
        for (const reply of unanswered.splice(0)) reply();
      });
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo;
  base = `http://127.0.0.1:${port}`;
  fixture = await createNotificationsFixture({ receiver: { host: '127.0.0.1', port } });
});
afterAll(async () => {
  await fixture?.close();
  receiver.closeAllConnections();
  receiver.close();
});
beforeEach(async () => {
  received = [];
  answeredFrom = 0;
  unanswered = [];
  meanwhile = async () => undefined;
  answer = { status: 204, headers: {} };
  tenant = await fixture.tenant();
  fixture.later(3_600_000);
});

const reader = (url: string | null) =>
  fixture.person(tenant, 'Analyst', { ...wants('case_opened', 'webhook'), webhook_url: url });

describe('a webhook', () => {
  it('is not called again about a question because somebody else who could answer it has left', async () => {
    const preferences = { ...wants('prompt_waiting', 'webhook'), webhook_url: `${base}/hook` };
    const { email } = await fixture.person(tenant, 'Analyst', preferences);
    const question = asked(tenant, { approvers: { usernames: [email, 'gone@example.com'] } });
    await fixture.tell(question);
    await fixture.work();
    expect(received).toHaveLength(1);
    await fixture.db.system((tx) => fixture.module.notices.tell(tx, { ...question, isAskedBefore: true }));
    await fixture.work();
    expect(received).toHaveLength(1);
  });

  it('is called with what happened, signed with the secret its owner was shown', async () => {
    const user = await reader(`${base}/hook`);
    const caller = { userId: user.id, username: user.email, fullname: '', homeTenant: tenant, via: 'session' } as const;
    const context = { caller, requestId: 'test', raw: { request: { headers: {} } } } as never;
    const request = { params: undefined, query: undefined, body: undefined };
    const first = await fixture.module.handlers['notifications.webhook-secret'](request, context);
    const { secret } = await fixture.module.handlers['notifications.webhook-secret'](request, context);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9_-]{43}$/);
    expect(secret).not.toBe(first.secret);
    await fixture.tell(caseOpened(tenant, 5));
    await fixture.work();
    expect(received).toHaveLength(1);
    const [{ url = '', headers = {}, body = '' } = {}] = received;
    expect(url).toBe('/hook');
    const sent = JSON.parse(body) as Record<string, unknown>;
    expect(sent).toMatchObject({ kind: 'case_opened', tenant, title: 'CASE-5 opened: SSH password guessing' });
    expect(headers['x-air-delivery']).toBe(sent.id);
    const [, time, signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-air-signature'])) ?? [];
    expect(createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')).toBe(signature);
    expect(await fixture.deliveries()).toEqual([]);
  });

  it('is called three times while it is in trouble, with growing pauses, and then no more', async () => {
    await reader(base);
    answer.status = 503;
    await fixture.tell(caseOpened(tenant));
    await fixture.work();
    for (const [waitMs, calls] of [
      [59_000, 1],
      [1_000, 2],
      [299_000, 2],
      [1_000, 3],
      [3_600_000, 3],
    ] as const) {
      fixture.later(waitMs);
      await fixture.work();
      expect(received).toHaveLength(calls);
    }
    expect(new Set(received.map((call) => call.headers['x-air-delivery'])).size).toBe(1);
    expect(await fixture.deliveries()).toEqual([]);
  });

  it('waits as long as the receiver asks', async () => {
    await reader(base);
    answer = { status: 429, headers: { 'retry-after': '600' } };
    await fixture.tell(caseOpened(tenant));
    await fixture.work();
    fixture.later(599_000);
    await fixture.work();
    expect(received).toHaveLength(1);
    answer = { status: 200, headers: {} };
    fixture.later(1_000);
    await fixture.work();
    expect(received).toHaveLength(2);
    expect(await fixture.deliveries()).toEqual([]);
  });

  it('that waits is not called for somebody who has switched it off meanwhile, nor in quiet hours set meanwhile', async () => {
    fixture.clock.now = new Date('2026-12-08T23:00:00.000Z');
    const own = { ...wants('case_opened', 'webhook'), webhook_url: base };
    const quiet = { quiet_hours: { enabled: true, from: '22:00', to: '07:00' } };
    const [off, longer] = [
      await fixture.person(tenant, 'Analyst', { ...own, ...quiet }),
      await fixture.person(tenant, 'Analyst', { ...own, ...quiet }),
    ];
    await fixture.tell(caseOpened(tenant));
    await fixture.work();
    await fixture.prefers(off, { ...own, ...wants('case_opened', 'mail') });
    await fixture.prefers(longer, { ...own, quiet_hours: { enabled: true, from: '22:00', to: '08:00' } });
    fixture.clock.now = new Date('2026-12-09T07:00:00.000Z');
    await fixture.work();
    expect(received).toEqual([]);
    expect(await fixture.deliveries()).toMatchObject([{ user_id: longer.id, attempts: 0 }]);
    fixture.clock.now = new Date('2026-12-09T08:00:00.000Z');
    await fixture.work();
    expect(received).toHaveLength(1);
    expect(await fixture.deliveries()).toEqual([]);
  });

  it('that refuses for good is told to its owner, until a call is taken or another address is saved', async () => {
    const user = await reader(`${base}/sosecret`);
    const failures = async () => {
      const caller = { userId: user.id, username: user.email, fullname: '', homeTenant: tenant, via: 'session' };
      const request = { params: undefined, query: undefined, body: undefined };
      const shown = fixture.module.handlers['notifications.slack'](request, { caller, requestId: 'test' } as never);
      return (await shown).failures;
    };
    const called = async (status: number) => {
      answer.status = status;
      await fixture.tell(caseOpened(tenant));
      await fixture.work();
    };
    await called(204);
    expect(await failures()).toEqual([]);
    await called(410);
    const at = fixture.clock.now.toISOString();
    expect(await failures()).toEqual([
      { channel: 'webhook', at, message: expect.any(String), reason: 'RECEIVER_GONE', values: { status: 410 } },
    ]);
    expect(JSON.stringify(await failures())).not.toContain('sosecret');
    await called(204);
    expect(await failures()).toEqual([]);
    await called(404);
    await fixture.prefers(user, { ...wants('case_opened', 'webhook'), webhook_url: `${base}/other` });
    expect(await failures()).toEqual([]);
  });

  const failuresOf = async (user: { id: string }) =>
    await fixture.db.system((tx) =>
      tx.selectFrom('notification_failure').select('told').where('user_id', '=', user.id).execute(),
    );

  it('that refuses somebody whose account is erased meanwhile notes nothing, or it would stay for ever', async () => {
    const user = await reader(base);
    answer.status = 410;
    meanwhile = () => fixture.db.system((tx) => forgetNotices(tx, user.id));
    await fixture.tell(caseOpened(tenant));
    await fixture.work();
    expect(received).toHaveLength(1);
    expect(await failuresOf(user)).toEqual([]);
  });

  it('that was overtaken by a later attempt neither notes nor forgets a refusal: the later one has the say', async () => {
    const user = await reader(base);
    const overtaken = async (status: number) => {
      answer.status = status;
      meanwhile = () =>
        fixture.db.system(async (tx) => {
          await tx
            .updateTable('notification_delivery')
            .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
            .where('user_id', '=', user.id)
            .execute();
        });
      await fixture.tell(caseOpened(tenant));
      await fixture.work();
      meanwhile = async () => undefined;
    };
    const laterAttempt = async (status: number) => {
      answer.status = status;
      fixture.later(60_000);
      await fixture.work();
      expect(await fixture.deliveries()).toEqual([]);
    };
    await overtaken(410);
    expect(await failuresOf(user)).toEqual([]);
    await laterAttempt(410);
    expect(await failuresOf(user)).toHaveLength(1);
    await overtaken(204);
    expect(await failuresOf(user)).toHaveLength(1);
    await laterAttempt(204);
    expect(await failuresOf(user)).toEqual([]);
  });

  it('that refuses, or sends somewhere else, is called once', async () => {
    await reader(base);
    for (const refusal of [
      { status: 404, headers: {} },
      { status: 302, headers: { location: 'http://169.254.169.254/' } },
    ] as const) {
      received = [];
      answer = refusal as typeof answer;
      await fixture.tell(caseOpened(tenant));
      await fixture.work();
      expect(received).toHaveLength(1);
      expect(await fixture.deliveries()).toEqual([]);
    }
  });

  it.each(['http://127.0.0.1:1/', 'http://localhost/', 'http://169.254.169.254/', 'http://10.0.0.1/'])(
    'goes nowhere for %s and is not tried again',
    async (url) => {
      await reader(url);
      await fixture.tell(caseOpened(tenant));
      await fixture.work();
      expect(received).toEqual([]);
      expect(await fixture.deliveries()).toEqual([]);
    },
  );

  it('left by a process that died is taken up when its lease is over, not before', async () => {
    const user = await reader(base);
    await fixture.tell(caseOpened(tenant));
    await fixture.db.system(async (tx) => {
      const event = await tx.selectFrom('notification_event').selectAll().executeTakeFirstOrThrow();
      const { id, audience: _audience, said: _said, times: _times, ...told } = event;
      const due_at = new Date(fixture.clock.now.getTime() + 60_000);
      const row = { ...told, event_id: id, user_id: user.id, channel: 'webhook' as const, due_at, attempts: 1 };
      await tx.insertInto('notification_delivery').values(row).execute();
    });
    await fixture.work();
    expect(received).toHaveLength(0);
    fixture.later(60_000);
    await fixture.work();
    expect(received).toHaveLength(1);
    expect(await fixture.deliveries()).toEqual([]);
  });

  it('is not called for somebody who has left, or has taken the address away', async () => {
    const [left, silent] = [await reader(base), await reader(base)];
    const quiet = { quiet_hours: { enabled: true, from: '00:00', to: '23:59' } };
    await fixture.db.system(async (tx) => {
      const preferences = JSON.stringify({
        ...wants('case_opened', 'webhook'),
        ...quiet,
        ...{ digest: 'off', webhook_url: base },
      });
      await tx
        .updateTable('app_user')
        .set({ notification_preferences: preferences })
        .where('id', 'in', [left.id, silent.id])
        .execute();
    });
    fixture.clock.now = new Date('2026-12-10T12:00:00.000Z');
    await fixture.tell(caseOpened(tenant));
    await fixture.work();
    expect(await fixture.deliveries()).toHaveLength(2);
    await fixture.db.system(async (tx) => {
      await tx.deleteFrom('membership').where('user_id', '=', left.id).execute();
      await tx.updateTable('app_user').set({ notification_preferences: null }).where('id', '=', silent.id).execute();
    });
    fixture.clock.now = new Date('2026-12-10T23:59:30.000Z');
    await fixture.work();
    expect(received).toEqual([]);
    expect(await fixture.deliveries()).toEqual([]);
  });

  it('is called for whoever waits longest where not everybody can be called at once', async () => {
    // One more than there are calls at once. The one who joined first has come last.
    const people: { id: string }[] = [];
    for (let at = 1; at <= 9; at++) people.push(await reader(`${base}/${at}`));
    await fixture.tell(caseOpened(tenant));
    const event = await fixture.db.system((tx) =>
      tx.selectFrom('notification_event').selectAll().executeTakeFirstOrThrow(),
    );
    const { id, audience: _audience, said: _said, times: _times, ...told } = event;
    await fixture.db.system(async (tx) => {
      await tx.deleteFrom('notification_event').execute();
      for (const [at, { id: user_id }] of people.entries()) {
        const due_at = new Date(fixture.clock.now.getTime() - 1_000 * at);
        await tx
          .insertInto('notification_delivery')
          .values({ ...told, event_id: id, user_id, channel: 'webhook', due_at, attempts: 0 })
          .execute();
      }
    });
    // All that are called at once: which of them comes first is up to the network.
    answeredFrom = people.length - 1;
    await fixture.work();
    expect(received.map(({ url }) => url).at(-1)).toBe('/1');
    expect(received).toHaveLength(9);
  });

  it('gets every event once although several processes call, and one owner never two at a time', async () => {
    await Promise.all([reader(base), reader(`${base}/b`)]);
    for (let number = 1; number <= 20; number++) await fixture.tell(caseOpened(tenant, number));
    await Promise.all(
      [fixture.module, fixture.start(), fixture.start()].map(async (one) => {
        while (await one.round());
      }),
    );
    await fixture.work();
    expect(received).toHaveLength(40);
    expect(new Set(received.map((call) => `${call.url} ${call.headers['x-air-delivery']}`)).size).toBe(40);
  });
});

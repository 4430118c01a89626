import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { forgetNotices } from './forget-person.ts';
import { caseOpened, createNotificationsFixture, type NotificationsFixture, wants } from './notifications-fixture.ts';

let fixture: NotificationsFixture;
let receiver: ReturnType<typeof createServer>;
let received: { url: string; text: string }[] = [];
/** `none`: the connection ends before it. */
let answer: { status: number; text: string; headers: Readonly<Record<string, string>> } | 'none';
/** Runs while a call is under way. */
let meanwhile: () => Promise<void>;
let base: string;
let tenant: string;

beforeAll(async () => {
  receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { text } = JSON.parse(Buffer.concat(chunks).toString()) as { text: string };
      received.push({ url: request.url ?? '', text });
      void meanwhile().then(() => {
        if (answer === 'none') response.destroy();
        else response.writeHead(answer.status, answer.headers).end(answer.text);
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
  answer = { status: 200, text: 'ok', headers: {} };
  meanwhile = async () => undefined;
  tenant = await fixture.tenant();
  fixture.later(3_600_000);
});

const callerOf = (user: { id: string; email: string }, more: object = {}) => ({
  caller: { userId: user.id, username: user.email, fullname: '', homeTenant: tenant, via: 'session', ...more },
  requestId: 'test',
  signal: AbortSignal.timeout(30_000),
});
const nothing = { params: undefined, query: undefined, body: undefined };

async function setSlack(user: { id: string; email: string }, url: string) {
  const request = { ...nothing, body: { url } };
  return await fixture.module.handlers['notifications.set-slack'](request, callerOf(user) as never);
}

async function reader(change: object = {}, url = `${base}/services/T1/B1/sosecret`) {
  const user = await fixture.person(tenant, 'Analyst', { ...wants('case_opened', 'slack'), ...change });
  await setSlack(user, url);
  return user;
}

describe('the address of Slack', () => {
  it('is kept sealed, shown never, and forgotten when its owner says so', async () => {
    const user = await reader();
    const context = callerOf(user) as never;
    const shown = await fixture.module.handlers['notifications.slack'](nothing, context);
    expect(shown).toEqual({
      slack: { host: new URL(base).host, set_at: fixture.clock.now.toISOString() },
      failures: [],
    });
    const kept = await fixture.db.system(async (tx) => ({
      rows: await tx.selectFrom('notification_slack').selectAll().execute(),
      audit: await tx.selectFrom('audit_record').selectAll().where('tenant_id', '=', tenant).execute(),
    }));
    expect(JSON.stringify(kept)).not.toContain('sosecret');
    expect(kept.audit.map(({ action }) => action)).toEqual(['slack_address.set']);
    await fixture.module.handlers['notifications.remove-slack'](nothing, context);
    await fixture.module.handlers['notifications.remove-slack'](nothing, context);
    expect(await fixture.module.handlers['notifications.slack'](nothing, context)).toEqual({
      slack: null,
      failures: [],
    });
    await fixture.tell(caseOpened(tenant));
    await fixture.work();
    expect(received).toEqual([]);
  });

  it('is set, tested and removed by people, never by a key', async () => {
    const user = await reader();
    const context = callerOf(user, { apiKey: { tenant, role: 'Admin' } }) as never;
    const handlers = fixture.module.handlers;
    for (const attempt of [
      () => handlers['notifications.set-slack']({ ...nothing, body: { url: base } }, context),
      () => handlers['notifications.remove-slack'](nothing, context),
      () => handlers['notifications.test']({ ...nothing, body: { channel: 'slack' } }, context),
    ]) {
      await expect(attempt()).rejects.toMatchObject({ code: 'ROLE_TOO_LOW' });
    }
  });
});

describe('a test', () => {
  const test = (user: { id: string; email: string }, channel: 'slack' | 'webhook' = 'slack') =>
    fixture.module.handlers['notifications.test']({ ...nothing, body: { channel } }, callerOf(user) as never);

  it('says what came of it, without a word of the address or of an answer that is not known', async () => {
    const user = await reader();
    expect(await test(user)).toEqual({ ok: true, message: 'The test was accepted.' });
    expect(received[0]?.text).toContain('this is a test');
    answer = { status: 404, text: 'no_service', headers: {} };
    expect(await test(user)).toEqual({
      ok: false,
      message: expect.stringContaining('switched off in Slack'),
      reason: 'SLACK_APP_OFF',
      values: {},
    });
    answer = { status: 403, text: 'internal page of somebody', headers: {} };
    expect(await test(user)).toEqual({
      ok: false,
      message: 'The receiver refused it with HTTP 403.',
      reason: 'RECEIVER_REFUSED',
      values: { status: 403 },
    });
    await setSlack(user, 'http://169.254.169.254/services/sosecret');
    const refused = await test(user);
    expect(refused).toMatchObject({ ok: false, reason: expect.stringMatching(/^EGRESS_/) });
    expect(refused.message).not.toContain('sosecret');
  });

  it('of what was not set says so, and goes to the webhook as its calls do', async () => {
    const user = await fixture.person(tenant, 'Analyst');
    expect(await test(user)).toEqual({ ok: false, message: 'No address is saved.' });
    expect(await test(user, 'webhook')).toEqual({ ok: false, message: 'No address is saved.' });
    const hooked = await fixture.person(tenant, 'Analyst', { webhook_url: `${base}/hook` });
    expect(await test(hooked, 'webhook')).toEqual({ ok: true, message: 'The test was accepted.' });
    expect(received.map(({ url }) => url)).toEqual(['/hook']);
  });

  it('goes to somebody who has left every tenant, as what concerns their account does', async () => {
    const user = await reader({ webhook_url: `${base}/hook` });
    await fixture.db.system((tx) => tx.deleteFrom('membership').where('user_id', '=', user.id).execute());
    for (const channel of ['slack', 'webhook'] as const) {
      expect(await test(user, channel)).toEqual({ ok: true, message: 'The test was accepted.' });
    }
    expect(received.map(({ url }) => url)).toEqual(['/services/T1/B1/sosecret', '/hook']);
  });

  it('is sent six times a minute at most', async () => {
    const user = await reader();
    for (let count = 0; count < 6; count++) await test(user);
    await expect(test(user)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    fixture.later(60_000);
    expect(await test(user)).toMatchObject({ ok: true });
  });
});

describe('a message', () => {
  it('has a link to what it is about, and nothing of a log becomes a link or a call', async () => {
    await reader();
    const happening = { ...caseOpened(tenant, 7), name: '<!channel> <https://evil.example|click> & more' } as never;
    await fixture.tell(happening);
    await fixture.work();
    expect(received).toHaveLength(1);
    const { text = '' } = received[0] ?? {};
    expect(text).toMatch(
      /^\*<https:\/\/air\.example\/air\/case-management\/[0-9a-f-]{36}\|CASE-7 opened: &lt;!channel&gt; &lt;https:\/\/evil\.example¦click&gt; &amp; more>\*\n/,
    );
    expect(text).toContain('_Example Ltd_');
    expect(await fixture.deliveries()).toEqual([]);
  });

  it('is one for five hundred alerts of a minute', async () => {
    await reader();
    for (let number = 1; number <= 500; number++) await fixture.tell(caseOpened(tenant, number));
    await fixture.work();
    fixture.later(61_000);
    await fixture.work();
    expect(received).toHaveLength(1);
    expect(received[0]?.text).toMatch(/^\*500 notifications\*\n/);
    expect(received[0]?.text).toContain('and 475 more: <https://air.example/home|open AIRdeck>');
  });

  it('waits for the end of the quiet hours and is one then', async () => {
    fixture.clock.now = new Date('2026-12-20T23:00:00.000Z');
    await reader({ quiet_hours: { enabled: true, from: '22:00', to: '07:00' } });
    for (const number of [1, 2]) await fixture.tell(caseOpened(tenant, number));
    await fixture.work();
    expect(received).toEqual([]);
    fixture.clock.now = new Date('2026-12-21T07:00:00.000Z');
    await fixture.work();
    expect(received.map(({ text }) => text.split('\n')[0])).toEqual(['*2 notifications*']);
  });

  it('is sent again while the receiver is in trouble, three times in all, and as late as it asks', async () => {
    await reader();
    answer = { status: 429, text: 'rate_limited', headers: { 'retry-after': '120' } };
    await fixture.tell(caseOpened(tenant));
    await fixture.work();
    for (const [waitMs, calls] of [
      [119_000, 1],
      [1_000, 2],
      [300_000, 3],
      [3_600_000, 3],
    ] as const) {
      fixture.later(waitMs);
      await fixture.work();
      expect(received).toHaveLength(calls);
    }
    expect(await fixture.deliveries()).toEqual([]);
  });

  it.each([
    ['that is refused', { status: 410, text: 'channel_is_archived', headers: {} }],
    ['whose connection ends before the answer', 'none'],
  ] as const)('%s is sent once', async (_what, given) => {
    await reader();
    answer = given;
    await fixture.tell(caseOpened(tenant));
    await fixture.work();
    fixture.later(3_600_000);
    await fixture.work();
    expect(received).toHaveLength(1);
    expect(await fixture.deliveries()).toEqual([]);
  });

  it('that is refused is told to the owner of the address, and to nobody else, until another is set', async () => {
    const [user, other] = [await reader(), await reader({}, `${base}/services/T2/B2/sosecret`)];
    const failures = async (of = user) => {
      const shown = fixture.module.handlers['notifications.slack'](nothing, callerOf(of) as never);
      return (await shown).failures;
    };
    await fixture.db.system((tx) => tx.deleteFrom('membership').where('user_id', '=', other.id).execute());
    answer = { status: 410, text: 'channel_is_archived', headers: {} };
    await fixture.tell(caseOpened(tenant));
    await fixture.work();
    const at = fixture.clock.now.toISOString();
    expect(await failures()).toEqual([
      {
        channel: 'slack',
        at,
        message: expect.stringContaining('archived'),
        reason: 'SLACK_CHANNEL_ARCHIVED',
        values: {},
      },
    ]);
    expect(await failures(other)).toEqual([]);
    fixture.later(60_000);
    await setSlack(user, `${base}/services/T1/B1/another`);
    expect(await failures()).toEqual([]);
  });

  it('that is refused for somebody whose account is erased meanwhile notes nothing, or it would stay for ever', async () => {
    const user = await reader();
    answer = { status: 410, text: 'channel_is_archived', headers: {} };
    meanwhile = () => fixture.db.system((tx) => forgetNotices(tx, user.id));
    await fixture.tell(caseOpened(tenant));
    await fixture.work();
    expect(received).toHaveLength(1);
    const failures = await fixture.db.system((tx) =>
      tx.selectFrom('notification_failure').select('told').where('user_id', '=', user.id).execute(),
    );
    expect(failures).toEqual([]);
  });

  it('that waits does not go to somebody who has switched it off meanwhile', async () => {
    fixture.clock.now = new Date('2026-12-22T23:00:00.000Z');
    const quiet = { quiet_hours: { enabled: true, from: '22:00', to: '07:00' } };
    const user = await reader(quiet);
    await fixture.tell(caseOpened(tenant));
    await fixture.work();
    await fixture.prefers(user, { ...wants('case_opened', 'mail'), ...quiet });
    fixture.clock.now = new Date('2026-12-23T07:00:00.000Z');
    await fixture.work();
    expect(received).toEqual([]);
    expect(await fixture.deliveries()).toEqual([]);
  });

  it('is not sent twice when the process dies between the call and its end', async () => {
    await reader();
    await fixture.tell(caseOpened(tenant));
    const dying = fixture.start();
    // As a crash would: what the call marked is there, and nobody ends it.
    let copy: Awaited<ReturnType<typeof fixture.deliveries>> = [];
    meanwhile = async () => {
      copy = await fixture.deliveries();
    };
    while (await dying.round());
    expect(copy).toMatchObject([{ channel: 'slack', in_flight: true, attempts: 1 }]);
    await fixture.db.system((tx) =>
      tx
        .insertInto('notification_delivery')
        .values(copy.map(({ question, ...row }) => ({ ...row, question: question && JSON.stringify(question) })))
        .execute(),
    );
    await fixture.work();
    expect(received).toHaveLength(1);
    fixture.later(60_000);
    await fixture.work();
    expect(received).toHaveLength(1);
    expect(await fixture.deliveries()).toEqual([]);
  });

  it('goes out once although several processes send', async () => {
    await Promise.all([reader(), reader({}, `${base}/b`)]);
    for (let number = 1; number <= 8; number++) await fixture.tell(caseOpened(tenant, number));
    await Promise.all(
      [fixture.module, fixture.start(), fixture.start()].map(async (one) => {
        while (await one.round());
      }),
    );
    await fixture.work();
    expect(received.map(({ url, text }) => `${url} ${text.split('|')[1]}`).toSorted()).toEqual(
      [...new Set(received.map(({ url, text }) => `${url} ${text.split('|')[1]}`))].toSorted(),
    );
    expect(received).toHaveLength(16);
  });
});

import type { JsonObject } from '@airdeck/contracts/fields';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { actionContext, failureOf, sandboxKeys, startVendorFixture } from '../sandbox-fixture.ts';
import { attachTo, ensureNotification, inspectNotifications, removeNotifications } from './alert-notification.ts';
import { createHttpNotification } from './notifications.ts';

type GraylogState = { definitions: JsonObject[]; notifications: JsonObject[] };

const ENABLED = 'Repeated failed logons';
const DISABLED = 'Unusual service start';
const wanted = {
  title: 'Automation 1',
  description: 'Made by the product',
  url: 'https://deck.example/api/event/ingest/1',
  token: 'src_token-for-tests',
};

describe('the notification of an automation, against the sandbox', () => {
  let fixture: Awaited<ReturnType<typeof startVendorFixture>>;
  beforeAll(async () => {
    fixture = await startVendorFixture();
  });
  afterAll(() => fixture.close());
  beforeEach(async () => {
    fixture.sandbox.reset();
    await train('version', { version: '7.0.2' });
  });

  const context = () => ({
    ...actionContext(fixture.egress, {
      config: { base_url: `${fixture.sandbox.url}/graylog`, api_token: sandboxKeys.graylog },
    }),
    now: () => new Date(),
  });
  const state = () => fixture.sandbox.state().graylog as GraylogState;
  const idOf = (title: string) => String(state().definitions.find((one) => one.title === title)?.id);
  const own = () => state().notifications.filter((one) => one.title === wanted.title);
  const usedBy = (title: string) => {
    const definition = state().definitions.find((one) => one.title === title) ?? {};
    return (definition.notifications as JsonObject[]).map((entry) => entry.notification_id);
  };
  const train = (path: string, body: unknown) =>
    fetch(`${fixture.sandbox.url}/graylog/sandbox/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const refused = () => fixture.sandbox.state().calls.filter(({ status }) => status === 400);

  it.each(['4.3.0', '5.0.3', '5.1.13'])(
    'is attached on %s, which knows no state, without switching detection off',
    async (version) => {
      await train('version', { version });
      const id = await ensureNotification(context(), wanted, { rewrite: false });
      await attachTo(context(), idOf(ENABLED), id);
      expect(usedBy(ENABLED)).toContain(id);
      expect(state().definitions.find((one) => one.title === ENABLED)?.state).toBe('ENABLED');
    },
  );

  it.each<[string, unknown]>([
    ['nothing about the schedule', {}],
    ['a schedule without the word', { scheduler: { status: 'runnable' } }],
  ])('leaves a definition alone when the server says %s', async (_what, told) => {
    await train('version', { version: '4.3.0' });
    const id = await ensureNotification(context(), wanted, { rewrite: false });
    const { egress, ...rest } = context();
    const mute: typeof egress = {
      async request(request) {
        const answer = await egress.request(request);
        return request.url.endsWith('/with-context') ? { ...answer, text: JSON.stringify({ context: told }) } : answer;
      },
    };
    expect(await failureOf(attachTo({ ...rest, egress: mute }, idOf(ENABLED), id))).toMatchObject({
      code: 'VENDOR_ANSWER_UNREADABLE',
      message: expect.stringContaining('enabled'),
    });
    expect(usedBy(ENABLED)).not.toContain(id);
  });

  it.each(['4.3.0', '5.0.3', '5.2.12', '6.1.4', '7.0.2'])(
    'is made, attached, found, and taken away on %s, each as often as one likes',
    async (version) => {
      await train('version', { version });
      const id = await ensureNotification(context(), wanted, { rewrite: false });
      expect(await ensureNotification(context(), wanted, { rewrite: true })).toBe(id);
      expect(await attachTo(context(), idOf(DISABLED), id)).toEqual({ title: DISABLED, changed: true });
      expect(await attachTo(context(), idOf(DISABLED), id)).toEqual({ title: DISABLED, changed: false });
      expect(own()).toHaveLength(1);
      expect(state().definitions.find((one) => one.title === DISABLED)?.state).toBe('DISABLED');
      const expected = { notification: wanted, definitionId: idOf(DISABLED) };
      expect(await inspectNotifications(context(), [expected])).toEqual([
        { notification: 'there', definitionTitle: DISABLED, attached: true },
      ]);
      expect(refused()).toEqual([]);
      for (const _again of [1, 2]) {
        await removeNotifications(context(), { title: wanted.title, definitionId: idOf(DISABLED) });
      }
      expect(own()).toEqual([]);
      expect(usedBy(DISABLED)).not.toContain(id);
    },
  );

  it('carries its token where the version can: in the address only where there is nothing else', async () => {
    await train('version', { version: '4.3.0' });
    await ensureNotification(context(), wanted, { rewrite: false });
    expect(own()[0]?.config).toEqual({ type: 'http-notification-v1', url: `${wanted.url}?token=${wanted.token}` });
    await train('version', { version: '5.0.0' });
    const expected = { notification: wanted, definitionId: idOf(ENABLED) };
    expect(await inspectNotifications(context(), [expected])).toMatchObject([{ notification: 'different' }]);
    await ensureNotification(context(), wanted, { rewrite: false });
    expect(own()[0]?.config).toMatchObject({ url: wanted.url, basic_auth: { is_set: true } });
    expect(await inspectNotifications(context(), [expected])).toMatchObject([{ notification: 'there' }]);
  });

  it('is found missing, different, detached, or without its definition', async () => {
    const look = async (definitionId = idOf(ENABLED)) =>
      (await inspectNotifications(context(), [{ notification: wanted, definitionId }]))[0];
    expect(await look()).toEqual({ notification: 'missing', definitionTitle: ENABLED, attached: false });
    await createHttpNotification(context(), { ...wanted, url: 'https://elsewhere.example/' });
    expect(await look()).toMatchObject({ notification: 'different', attached: false });
    const id = await ensureNotification(context(), wanted, { rewrite: false });
    expect(await look()).toMatchObject({ notification: 'there', attached: false });
    await attachTo(context(), idOf(ENABLED), id);
    expect(await look()).toMatchObject({ notification: 'there', attached: true });
    expect(await look('665f0a3be4b0a1c2d3e4f501')).toMatchObject({ definitionTitle: undefined, attached: false });
  });

  it('is deleted also where the definition is gone, and one that two made at once is one afterwards', async () => {
    const id = await ensureNotification(context(), wanted, { rewrite: false });
    await attachTo(context(), idOf(ENABLED), id);
    await fetch(`${fixture.sandbox.url}/graylog/events/notifications`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-requested-by': 'test',
        authorization: `Basic ${Buffer.from(`${sandboxKeys.graylog}:token`).toString('base64')}`,
      },
      body: JSON.stringify({
        entity: { title: wanted.title, config: { type: 'http-notification-v2', url: wanted.url } },
      }),
    });
    expect(own()).toHaveLength(2);
    await ensureNotification(context(), wanted, { rewrite: false });
    expect(own()).toHaveLength(1);
    await removeNotifications(context(), { title: wanted.title, definitionId: '665f0a3be4b0a1c2d3e4f501' });
    expect(own()).toEqual([]);
    expect(usedBy(ENABLED)).toHaveLength(1);
  });

  it('does not pretend when Graylog refuses half-way', async () => {
    fixture.sandbox.disturb({ vendor: 'graylog', kind: 'forbidden', path: '/events/definitions' });
    const id = await ensureNotification(context(), wanted, { rewrite: false });
    expect(await failureOf(attachTo(context(), idOf(ENABLED), id))).toMatchObject({
      code: 'VENDOR_PERMISSION_MISSING',
    });
    expect(usedBy(ENABLED)).not.toContain(id);
  });
});

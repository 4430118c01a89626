import { withCallMark } from '@airdeck/connector-kit/call-mark';
import type { ActionDefinition } from '@airdeck/connector-kit/definition';
import { toVendorFailure } from '@airdeck/connector-kit/vendor-error';
import { startVendorServer } from '@airdeck/connector-kit/vendor-server-fixture';
import type { JsonObject } from '@airdeck/contracts/fields';
import type { DisturbanceKind } from '@airdeck/simulator/sandbox/disturbances';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { actionContext, failureOf, sandboxKeys, startVendorFixture } from '../sandbox-fixture.ts';
import { attachNotification } from './attach-notification.ts';
import { createHttpNotificationAction } from './create-http-notification.ts';
import { deleteNotificationAction } from './delete-notification.ts';
import { disableEventDefinition } from './disable-event-definition.ts';
import { enableEventDefinition } from './enable-event-definition.ts';
import { getEventDefinitions } from './get-event-definitions.ts';
import { getStreams } from './get-streams.ts';
import { getSystemAction } from './get-system.ts';
import { getTriggeredAlerts } from './get-triggered-alerts.ts';
import { graylog } from './graylog.ts';
import { createHttpNotification } from './notifications.ts';
import { removeNotification } from './remove-notification.ts';
import { searchMessages } from './search-messages.ts';

type GraylogState = { definitions: JsonObject[]; notifications: JsonObject[] };

const ENABLED = 'Repeated failed logons';
const DISABLED = 'Unusual service start';
const WEBHOOK = 'Automation: block source';

describe('Graylog against the sandbox', () => {
  let fixture: Awaited<ReturnType<typeof startVendorFixture>>;
  beforeAll(async () => {
    fixture = await startVendorFixture();
  });
  afterAll(() => fixture.close());
  beforeEach(() => fixture.sandbox.reset());

  const configured = (overrides: JsonObject = {}): JsonObject => ({
    base_url: `${fixture.sandbox.url}/graylog`,
    api_token: sandboxKeys.graylog,
    ...overrides,
  });
  const context = (overrides: JsonObject = {}, input: JsonObject = {}) => ({
    ...actionContext(fixture.egress, { config: configured(overrides), input }),
    now: () => new Date(),
  });
  const run = async (action: ActionDefinition, input: JsonObject = {}, overrides: JsonObject = {}) => {
    const output = await action.run(context(overrides, input));
    // What is promised is there, and nothing else.
    expect(Object.keys(output).sort()).toEqual(Object.keys(action.output_schema.properties as object).sort());
    return output;
  };
  const alertsOf = async (input: JsonObject = {}) =>
    (await run(getTriggeredAlerts, input)).alerts as JsonObject & { events: JsonObject[] };
  const state = () => fixture.sandbox.state().graylog as GraylogState;
  const definition = (title: string) => state().definitions.find((one) => one.title === title) ?? {};
  const notification = (title: string) => state().notifications.find((one) => one.title === title);
  const calls = () => fixture.sandbox.state().calls.filter((call) => !call.path.startsWith('/sandbox/'));
  const changes = () => calls().filter(({ method, path }) => method !== 'GET' && !path.startsWith('/events/search'));
  const train = (path: string, body: unknown) =>
    fetch(`${fixture.sandbox.url}/graylog/sandbox/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const versions = ['4.3.0', '5.1.13', '5.2.12', '6.1.4+ab12cd3', '6.3.1', '7.0.2', '7.2.0-SNAPSHOT'];

  it.each(versions)('lists event definitions of %s, priorities turned round', async (version) => {
    await train('version', { version });
    const { events, total } = await run(getEventDefinitions);
    const found = Object.fromEntries((events as JsonObject[]).map((one) => [one.title, one]));
    expect(total).toBe(4);
    expect(found[ENABLED]).toMatchObject({ priority: 1, graylog_priority: 3, query: 'event_id:4625', alert: true });
    expect(found[ENABLED]).toMatchObject({ enabled: true, search_within_ms: 300_000, execute_every_ms: 60_000 });
    expect(found['New member of Domain Admins']).toMatchObject({ priority: 1, graylog_priority: 4, notifications: [] });
    expect(found['Port scan from outside']).toMatchObject({ priority: 2 });
    expect(found[DISABLED]).toMatchObject({ priority: 3, enabled: false });
    expect(found[ENABLED]?.notifications).toEqual([{ id: notification(WEBHOOK)?.id, title: WEBHOOK }]);
    fixture.sandbox.disturb({ vendor: 'graylog', kind: 'forbidden', path: '/events/notifications' });
    const without = (await run(getEventDefinitions)).events as JsonObject[];
    expect(without.find((one) => one.title === ENABLED)?.notifications).toMatchObject([{ title: null }]);
  });

  it.each(versions)('lists triggered alerts of %s with their titles, and says how many there are', async (version) => {
    await train('version', { version });
    const { events: listed, ...about } = await alertsOf();
    expect(about).toMatchObject({ total_events: 14, used_indices: ['gl-events_7'], parameters: { per_page: 100 } });
    expect(listed).toHaveLength(14);
    expect(listed.map((alert) => alert.timestamp)).toEqual(
      listed
        .map((alert) => String(alert.timestamp))
        .toSorted()
        .toReversed(),
    );
    expect(listed[0]).toMatchObject({ title: ENABLED, priority: 1, fields: { user: expect.any(String) } });
    const { event_definitions, streams } = about.context as { event_definitions: object; streams: object };
    expect(Object.values(event_definitions)).toContainEqual(expect.objectContaining({ title: ENABLED }));
    expect(Object.values(streams)).toHaveLength(4);
    expect(listed[5]).toMatchObject({ title: null });
    expect(await alertsOf({ limit: 3 })).toMatchObject({ events: listed.slice(0, 3), total_events: 14 });
  });

  it.each(versions)('finds alerts of one priority on %s, whose numbers run the other way', async (version) => {
    await train('version', { version });
    const all = (await alertsOf()).events;
    for (const priority of [1, 2, 3]) {
      expect((await alertsOf({ priority })).events).toEqual(all.filter((alert) => alert.priority === priority));
    }
    expect(await failureOf(alertsOf({ priority: '1 OR alert:false' }))).toMatchObject({ code: 'VENDOR_REJECTED' });
  });

  it('asks for the time it was given, over as many pages as it takes', async () => {
    await train(
      'events',
      Array.from({ length: 1100 }, (_, index) => ({ message: `m-${index}` })),
    );
    const { events, total_events } = await alertsOf({ limit: 1100 });
    expect(total_events).toBe(1114);
    expect(new Set(events.map((alert) => alert.id)).size).toBe(1100);
    expect(calls().filter((call) => call.path === '/events/search')).toHaveLength(3);
    const past = { start_time: '2020-01-01T00:00:00Z', end_time: '2020-01-02T00:00:00+02:00' };
    expect(await alertsOf(past)).toMatchObject({ events: [], total_events: 0 });
    expect(calls().at(-1)?.body).toMatchObject({
      timerange: { type: 'absolute', from: '2020-01-01T00:00:00.000Z', to: '2020-01-01T22:00:00.000Z' },
      filter: { alerts: 'only' },
    });
    for (const bad of [
      { start_time: 'yesterday' },
      { start_time: '2026-01-02T00:00:00Z', end_time: '2026-01-01T00:00:00Z' },
    ]) {
      expect(await failureOf(run(getTriggeredAlerts, bad))).toMatchObject({ code: 'VENDOR_REJECTED' });
    }
  });

  it('says of what was asked for what the server says of it', async () => {
    const about = { sort_unmapped_type: 'date', timerange: { type: 'relative', range: 86_400 } };
    const answers = [about, { sort_by: 'timestamp', timerange: { type: 'absolute' } }, undefined];
    const vendor = await startVendorServer(() => ({
      json: { events: [], total_events: 0, parameters: answers.shift() },
    }));
    const parameters = async () => {
      const output = await getTriggeredAlerts.run(
        vendor.context({ config: configured({ base_url: vendor.url }), input: {} }),
      );
      return (output.alerts as JsonObject).parameters;
    };
    try {
      expect(await parameters()).toMatchObject({ sort_unmapped_type: 'date', timerange: { range: 86_400 } });
      expect(await parameters()).toMatchObject({ sort_unmapped_type: null, timerange: { range: null } });
      expect(await parameters()).toMatchObject({ sort_unmapped_type: null, timerange: { range: null } });
    } finally {
      await vendor.close();
    }
  });

  it.each(versions)('takes a notification out of a definition of %s and puts it back', async (version) => {
    await train('version', { version });
    const titles = { event_definition_title: ENABLED, notification_title: WEBHOOK };
    expect(await run(removeNotification, titles)).toMatchObject({ changed: true });
    expect(definition(ENABLED)).toMatchObject({
      notifications: [],
      state: 'ENABLED',
      config: { query: 'event_id:4625' },
    });
    expect(notification(WEBHOOK)).toBeDefined();
    expect(await run(removeNotification, titles)).toMatchObject({ changed: false });
    expect(await run(attachNotification, titles)).toMatchObject({ changed: true });
    expect(await run(attachNotification, titles)).toMatchObject({ changed: false });
    expect(definition(ENABLED).notifications).toHaveLength(1);
    // Written back as disabled, it would not raise alerts any more.
    expect(definition(ENABLED)).toMatchObject({ state: 'ENABLED' });
  });

  it.each(versions)('does not switch a disabled definition of %s on by editing it', async (version) => {
    await train('version', { version });
    await run(removeNotification, { event_definition_title: DISABLED, notification_title: WEBHOOK });
    expect(definition(DISABLED)).toMatchObject({ notifications: [], state: 'DISABLED' });
    expect(changes().at(-1)?.path).toContain('schedule=false');
  });

  it('takes no title for another one, and never guesses between two', async () => {
    for (const title of ['Repeated', 'repeated failed logons', `${ENABLED} `, 'x" OR title:*', '*', '\\']) {
      const input = { event_definition_title: title, notification_title: WEBHOOK };
      expect(await failureOf(run(removeNotification, input))).toMatchObject({ code: 'VENDOR_NOT_FOUND' });
    }
    await createHttpNotification(context(), { title: 'Twin', description: '', url: 'https://a.example/' });
    await fetch(`${fixture.sandbox.url}/graylog/events/notifications`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-requested-by': 'test',
        authorization: `Basic ${Buffer.from(`${sandboxKeys.graylog}:token`).toString('base64')}`,
      },
      body: JSON.stringify({
        entity: { title: 'Twin', config: { type: 'http-notification-v2', url: 'https://b.example/' } },
      }),
    });
    const input = { event_definition_title: ENABLED, notification_title: 'Twin' };
    expect(await failureOf(run(attachNotification, input))).toMatchObject({
      code: 'VENDOR_CONFLICT',
      message: expect.stringContaining('2 notifications'),
    });
    expect(definition(ENABLED).notifications).toHaveLength(1);
  });

  it('asks before a call that changes something, and not before one that only searches', async () => {
    let marks = 0;
    const egress = withCallMark(fixture.egress, async () => {
      marks += 1;
    });
    await getTriggeredAlerts.run({ ...context(), egress });
    await searchMessages.run({ ...context({}, { query: '*' }), egress });
    await graylog.testConnection?.({ ...context(), egress });
    expect(marks).toBe(0);
    await removeNotification.run({
      ...context({}, { event_definition_title: ENABLED, notification_title: WEBHOOK }),
      egress,
    });
    expect(marks).toBeGreaterThan(0);
  });

  it.each(versions)('loses no edit that somebody makes on %s between the first look and the write', async (version) => {
    await train('version', { version });
    await train('interfere', { event_definition_title: ENABLED, how: 'edit_after_read' });
    const input = { event_definition_title: ENABLED, notification_title: WEBHOOK };
    expect(await run(removeNotification, input)).toMatchObject({ changed: true });
    expect(definition(ENABLED)).toMatchObject({ notifications: [], description: expect.stringContaining('Edited.') });
  });

  it('writes again when somebody saves an older state over it, and gives up on whoever keeps doing so', async () => {
    const input = { event_definition_title: ENABLED, notification_title: WEBHOOK };
    await train('interfere', { event_definition_title: ENABLED, how: 'overwrite_after_write', times: 2 });
    expect(await run(removeNotification, input)).toMatchObject({ changed: true });
    expect(definition(ENABLED).notifications).toEqual([]);
    expect(changes().filter(({ method }) => method === 'PUT')).toHaveLength(3);
    await train('interfere', { event_definition_title: ENABLED, how: 'overwrite_after_write', times: 9 });
    expect(await failureOf(run(attachNotification, input))).toMatchObject({ code: 'VENDOR_CONFLICT' });
    expect(changes().filter(({ method }) => method === 'PUT')).toHaveLength(6);
  });

  it.each(versions)(
    'creates a webhook on %s in the form it takes, once, and deletes it from everywhere',
    async (version) => {
      await train('version', { version });
      const input = { title: 'To the deck', url: 'https://deck.example/hooks/1', description: 'case 77' };
      const created = await run(createHttpNotificationAction, input);
      expect(created).toMatchObject({ title: 'To the deck', changed: true });
      expect(await run(createHttpNotificationAction, input)).toEqual({ ...created, changed: false });
      expect(notification('To the deck')).toMatchObject({ id: created.notification_id, config: { url: input.url } });
      expect(changes().filter((call) => call.status === 400)).toEqual([]);
      await run(attachNotification, { event_definition_title: ENABLED, notification_title: 'To the deck' });
      expect(definition(ENABLED).notifications).toHaveLength(2);
      expect(await run(deleteNotificationAction, { notification_title: 'To the deck' })).toMatchObject({
        changed: true,
      });
      expect(await run(deleteNotificationAction, { notification_title: 'To the deck' })).toMatchObject({
        changed: false,
      });
      expect(definition(ENABLED).notifications).toHaveLength(1);
    },
  );

  it.each(['6.3.1', '7.0.2'])('finds the form %s takes also when it may not ask for the version', async (version) => {
    await train('version', { version });
    fixture.sandbox.disturb({ vendor: 'graylog', kind: 'forbidden', path: '/system' });
    const created = await run(createHttpNotificationAction, { title: 'X', url: 'https://deck.example/' });
    expect(created.changed).toBe(true);
  });

  it('does not take a title that is in use for its own', async () => {
    const input = { title: WEBHOOK, url: 'https://deck.example/hooks/1' };
    expect(await failureOf(run(createHttpNotificationAction, input))).toMatchObject({ code: 'VENDOR_CONFLICT' });
    expect(state().notifications).toHaveLength(2);
  });

  it('hands over the secret of a webhook without anybody reading it back', async () => {
    const wanted = { title: 'S', description: '', url: 'https://deck.example/in', token: 'hook-token-for-tests' };
    const created = await createHttpNotification(context(), wanted);
    expect(created.changed).toBe(true);
    expect(notification('S')).toMatchObject({ config: { url: wanted.url, basic_auth: { is_set: true } } });
    expect(JSON.stringify(state().notifications)).not.toContain(wanted.token);
    for (const url of ['https://user:pass@deck.example/', 'ftp://deck.example/', 'deck.example', 'https://']) {
      expect(await failureOf(run(createHttpNotificationAction, { title: 'T', url }))).toMatchObject({
        code: 'VENDOR_REJECTED',
      });
    }
  });

  it.each(versions)('disables and enables a definition of %s once', async (version) => {
    await train('version', { version });
    const input = { event_definition_title: ENABLED };
    expect(await run(disableEventDefinition, input)).toMatchObject({ enabled: false, changed: true });
    expect(await run(disableEventDefinition, input)).toMatchObject({ changed: false });
    expect(definition(ENABLED)).toMatchObject({ state: 'DISABLED' });
    expect(await run(enableEventDefinition, input)).toMatchObject({ enabled: true, changed: true });
    expect(await run(enableEventDefinition, input)).toMatchObject({ changed: false });
  });

  it.each(['4.3.0', '7.0.2'])('searches messages on %s and gives them field by field', async (version) => {
    await train('version', { version });
    const { messages, count } = await run(searchMessages, {
      query: 'event_id:4625',
      fields: ['timestamp', 'user', 'absent'],
      limit: 5,
    });
    expect(count).toBe(5);
    expect(messages).toEqual(
      Array.from({ length: 5 }, () => ({ timestamp: expect.any(String), user: expect.any(String), absent: null })),
    );
    expect(await failureOf(run(searchMessages, { query: 'broken "quote' }))).toMatchObject({ code: 'VENDOR_REJECTED' });
    expect(await failureOf(run(searchMessages, { query: '*', stream_id: '../x' }))).toMatchObject({
      code: 'VENDOR_REJECTED',
    });
  });

  it('lists streams and reads the state of the server', async () => {
    const { streams, total } = await run(getStreams);
    expect(total).toBe(4);
    expect((streams as JsonObject[])[0]).toMatchObject({ title: 'Default Stream', is_default: true, disabled: false });
    expect(await run(getSystemAction)).toMatchObject({
      version: '7.0.2+sandbox',
      lifecycle: 'running',
      is_processing: true,
    });
    const metrics = await graylog.fetchMetrics?.({ ...context(), options: {}, cursor: null });
    expect(metrics).toMatchObject({ throughput_per_second: 21, journal_entries_waiting: 142 });
  });

  it('says what failed validation although that has neither type nor message', async () => {
    const egress = {
      request: async () => ({
        status: 400,
        headers: {},
        text: '{"failed":true,"errors":{"title":["Event Definition title cannot be empty."]},"error_context":{}}',
        retryAfterS: undefined,
      }),
    };
    expect(await failureOf(getStreams.run({ ...context(), egress }))).toMatchObject({
      code: 'VENDOR_REJECTED',
      message: expect.stringContaining('title cannot be empty'),
    });
  });

  it.each<[DisturbanceKind, string]>([
    ['unauthorized', 'VENDOR_CREDENTIALS_REFUSED'],
    ['forbidden', 'VENDOR_PERMISSION_MISSING'],
    ['rate_limited', 'VENDOR_RATE_LIMITED'],
    ['unavailable', 'VENDOR_UNAVAILABLE'],
    ['error_in_200', 'VENDOR_REJECTED'],
    ['html', 'VENDOR_ANSWER_UNREADABLE'],
    ['cut_json', 'VENDOR_ANSWER_UNREADABLE'],
    ['redirect', 'REDIRECT_REFUSED'],
  ])('turns %s into %s, changes nothing, and never shows the token', async (kind, code) => {
    const titles = { event_definition_title: ENABLED, notification_title: WEBHOOK };
    for (const work of [
      () => run(removeNotification, titles),
      () => run(getTriggeredAlerts),
      () => run(searchMessages, { query: '*' }),
    ]) {
      fixture.sandbox.disturb({ vendor: 'graylog', kind });
      const failure = await failureOf(work());
      expect(failure).toMatchObject({ code });
      const basic = Buffer.from(`${sandboxKeys.graylog}:token`).toString('base64');
      for (const secret of [sandboxKeys.graylog, basic]) expect(JSON.stringify(failure)).not.toContain(secret);
    }
    expect(changes().filter((call) => call.method === 'PUT')).toEqual([]);
  });

  it('passes on how long a throttled node wants us to wait, and gives up on a slow one when told to', async () => {
    fixture.sandbox.disturb({ vendor: 'graylog', kind: 'rate_limited' });
    const error: unknown = await run(getStreams).catch((thrown: unknown) => thrown);
    expect(toVendorFailure(error, (text) => text)).toMatchObject({ retryable: true, retry_after_s: 11 });
    fixture.sandbox.disturb({ vendor: 'graylog', kind: 'slow', delay_ms: 3000 });
    const slow = { ...context(), signal: AbortSignal.timeout(50) };
    expect(await failureOf(getStreams.run(slow))).toMatchObject({ code: 'ABORTED' });
  });

  it.each([{}, null, '', 7, 'x'.repeat(501), '\ud800'])('sends no change for the title %j', async (title) => {
    const input = { event_definition_title: title, notification_title: WEBHOOK };
    expect(await failureOf(run(removeNotification, input))).toMatchObject({ code: 'VENDOR_REJECTED' });
    expect(changes()).toEqual([]);
  });

  it('refuses a token that would end the header it stands in', async () => {
    const failure = await failureOf(run(getStreams, {}, { api_token: 'a\r\nx-evil: 1' }));
    expect(failure?.code).toBe('VENDOR_CREDENTIALS_REFUSED');
    expect(JSON.stringify(failure)).not.toContain('x-evil');
  });

  it('tests a connection with reads alone, and tells credentials, rights, prefix and another server apart', async () => {
    expect(await graylog.testConnection?.(context())).toEqual({
      message: 'Connected to Graylog 7.0.2+sandbox.',
      metadata: { version: '7.0.2+sandbox', cluster_id: expect.any(String), nodes: 1, is_processing: true },
    });
    expect(changes()).toEqual([]);
    const failing = async (overrides: JsonObject) =>
      (await failureOf(graylog.testConnection?.(context(overrides)) ?? Promise.resolve()))?.code;
    expect(await failing({ api_token: 'wrong-token' })).toBe('VENDOR_CREDENTIALS_REFUSED');
    expect(await failing({ base_url: `${fixture.sandbox.url}/graylog/wrong/api` })).toBe('VENDOR_NOT_FOUND');
    fixture.sandbox.disturb({ vendor: 'graylog', kind: 'forbidden', path: '/system' });
    expect(await failing({})).toBe('VENDOR_PERMISSION_MISSING');
    const egress = { request: async () => ({ status: 200, headers: {}, text: '{"ok":true}', retryAfterS: undefined }) };
    expect(await failureOf(graylog.testConnection?.({ ...context(), egress }) ?? Promise.resolve())).toMatchObject({
      code: 'VENDOR_ANSWER_UNREADABLE',
    });
  });
});

import type { ActionDefinition, FetchPage } from '@airdeck/connector-kit/definition';
import type { Egress } from '@airdeck/connector-kit/egress';
import { toVendorFailure } from '@airdeck/connector-kit/vendor-error';
import type { JsonObject } from '@airdeck/contracts/fields';
import type { DisturbanceKind } from '@airdeck/simulator/sandbox/disturbances';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { poll, smallAnswers } from '../fetch-fixture.ts';
import { actionContext, failureOf, sandboxKeys, startVendorFixture } from '../sandbox-fixture.ts';
import { addUserToGroup } from './add-user-to-group.ts';
import { clearSessions } from './clear-sessions.ts';
import { expirePassword } from './expire-password.ts';
import { getUserAction } from './get-user.ts';
import { listSystemLog } from './list-system-log.ts';
import { listUserGroups } from './list-user-groups.ts';
import { listUsers } from './list-users.ts';
import { okta } from './okta.ts';
import { fetchLinkedPage } from './okta-client.ts';
import { removeUserFromGroup } from './remove-user-from-group.ts';
import { resetPassword } from './reset-password.ts';
import { suspendUser } from './suspend-user.ts';
import { unlockUser } from './unlock-user.ts';
import { unsuspendUser } from './unsuspend-user.ts';

describe('Okta against the sandbox', () => {
  let fixture: Awaited<ReturnType<typeof startVendorFixture>>;
  let login: string;
  beforeAll(async () => {
    fixture = await startVendorFixture();
  });
  afterAll(() => fixture.close());
  beforeEach(async () => {
    fixture.sandbox.reset();
    const { users } = await run(listUsers, { limit: 3 });
    login = String((users as JsonObject[])[1]?.login);
  });

  const configured = (overrides: JsonObject = {}): JsonObject => ({
    base_url: `${fixture.sandbox.url}/okta/`,
    api_token: sandboxKeys.okta,
    ...overrides,
  });
  const run = async (action: ActionDefinition, input: JsonObject, overrides: JsonObject = {}) => {
    const output = await action.run({
      ...actionContext(fixture.egress, { config: configured(overrides), input }),
      now: () => new Date(),
    });
    // What is promised is there, and nothing else.
    expect(Object.keys(output).sort()).toEqual(Object.keys(action.output_schema.properties as object).sort());
    return output;
  };
  const state = () =>
    fixture.sandbox.state().okta as { users: JsonObject[]; groups: { name: string; members: string[] }[] };
  const userState = () => state().users.find((user) => user.login === login);
  const calls = () => fixture.sandbox.state().calls.map(({ method, path }) => `${method} ${path}`);
  const fetchPage = async (cursor: JsonObject | null, options: JsonObject = {}): Promise<FetchPage> => {
    const context = {
      ...actionContext(fixture.egress, { config: configured() }),
      now: () => new Date(),
      options,
      cursor,
    };
    return okta.fetchEvents?.(context) ?? Promise.reject(new Error('no event source'));
  };
  const addToLog = (events: JsonObject[]) =>
    fetch(`${fixture.sandbox.url}/okta/sandbox/log-events`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(events),
    });

  const setUser = (change: JsonObject) =>
    fetch(`${fixture.sandbox.url}/okta/sandbox/users/${login}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(change),
    });

  it('gives flat facts of a person, by login and by id', async () => {
    const found = await run(getUserAction, { user: login });
    expect(found).toMatchObject({ login, status: 'ACTIVE', email: login });
    expect(Object.keys(found).sort()).toEqual(Object.keys(getUserAction.output_schema.properties as object).sort());
    expect((await run(getUserAction, { user: found.id })).login).toBe(login);
  });

  it("takes the whole login for a person, not its beginning, which may be somebody else's", async () => {
    const short = login.split('@')[0];
    for (const action of [suspendUser, clearSessions, getUserAction, listUserGroups]) {
      for (const user of [short, 'me']) {
        expect(await failureOf(run(action, { user }))).toMatchObject({
          code: 'VENDOR_NOT_FOUND',
          message: expect.stringContaining('whole login'),
        });
      }
    }
    expect(userState()).toMatchObject({ status: 'ACTIVE', sessions: 1 });
    expect(await run(suspendUser, { user: login.toUpperCase() })).toMatchObject({ login, changed: true });
  });

  it('suspends and unsuspends, and a second call of the same step succeeds without a change', async () => {
    expect((await run(suspendUser, { user: login })).changed).toBe(true);
    expect(userState()).toMatchObject({ status: 'SUSPENDED' });
    expect((await run(suspendUser, { user: login })).changed).toBe(false);
    expect((await run(unsuspendUser, { user: login })).changed).toBe(true);
    expect((await run(unsuspendUser, { user: login })).changed).toBe(false);
    expect(userState()).toMatchObject({ status: 'ACTIVE' });
    expect((await run(unlockUser, { user: login })).changed).toBe(false);
  });

  it.each([{ locked_out: true }, { blocked: true }])('unlocks whom Okta can unlock, once: %j', async (change) => {
    await setUser(change);
    expect((await run(unlockUser, { user: login })).changed).toBe(true);
    expect(calls().at(-1)).toMatch(/^POST \/api\/v1\/users\/00u\w+\/lifecycle\/unlock$/);
    expect(userState()).toMatchObject({ status: 'ACTIVE' });
    expect((await run(unlockUser, { user: login })).changed).toBe(false);
  });

  it('leaves a suspended person alone when unlocking', async () => {
    await run(suspendUser, { user: login });
    expect((await run(unlockUser, { user: login })).changed).toBe(false);
    expect(calls().at(-1)).toMatch(/^GET /);
  });

  it.each([
    ['E0000006', 403, 'VENDOR_PERMISSION_MISSING'],
    ['E0000038', 403, 'VENDOR_PERMISSION_MISSING'],
    ['E0000032', 409, 'VENDOR_CONFLICT'],
    ['E0000032', 403, undefined],
  ])('takes for unlocked already only what Okta calls so: %s with %i', async (errorCode, status, code) => {
    const egress: Egress = {
      request: async (request) =>
        request.method === 'GET'
          ? await fixture.egress.request(request)
          : { status, headers: {}, text: JSON.stringify({ errorCode }), retryAfterS: undefined },
    };
    const unlock = unlockUser.run(actionContext(egress, { config: configured(), input: { user: login } }));
    expect((await failureOf(unlock))?.code).toBe(code);
  });

  it('passes on why Okta will not unlock a person who is locked out', async () => {
    await setUser({ locked_out: true });
    const text = JSON.stringify({ errorCode: 'E0000032', errorSummary: 'Unlock is not allowed for this user.' });
    const egress: Egress = {
      request: async (request) =>
        request.method === 'GET'
          ? await fixture.egress.request(request)
          : { status: 403, headers: {}, text, retryAfterS: undefined },
    };
    const unlock = unlockUser.run(actionContext(egress, { config: configured(), input: { user: login } }));
    expect(await failureOf(unlock)).toMatchObject({ message: expect.stringContaining('not allowed for this user') });
  });

  it('passes on why Okta will not suspend', async () => {
    await run(expirePassword, { user: login });
    expect(await failureOf(run(suspendUser, { user: login }))).toMatchObject({
      code: 'VENDOR_REJECTED',
      message: expect.stringContaining('Cannot suspend a user that is not active'),
    });
  });

  it('ends sessions with both switches said aloud', async () => {
    await run(clearSessions, { user: login });
    expect(userState()).toMatchObject({ sessions: 0 });
    expect(calls().at(-1)).toMatch(/^DELETE \/api\/v1\/users\/00u\w+\/sessions\?oauthTokens=true&forgetDevices=false$/);
  });

  it('expires a password, and resets one by e-mail only, so that no link to do so comes back', async () => {
    expect((await run(expirePassword, { user: login })).status).toBe('PASSWORD_EXPIRED');
    expect((await run(resetPassword, { user: login })).changed).toBe(true);
    expect(calls().at(-1)).toContain('/lifecycle/reset_password?sendEmail=true');
  });

  it('finds a group by its exact name only and changes membership as often as asked', async () => {
    const { id } = await run(getUserAction, { user: login });
    const quarantine = () => state().groups.find((group) => group.name === 'Quarantine')?.members;
    await run(addUserToGroup, { user: login, group: 'Quarantine' });
    await run(addUserToGroup, { user: login, group: 'Quarantine' });
    expect(quarantine()).toEqual([id]);
    const { groups } = await run(listUserGroups, { user: login });
    expect((groups as JsonObject[]).map((group) => group.name)).toContain('Quarantine');
    await run(removeUserFromGroup, { user: login, group: 'Quarantine' });
    expect(quarantine()).toEqual([]);
    expect(await failureOf(run(addUserToGroup, { user: login, group: 'Quar' }))).toMatchObject({
      code: 'VENDOR_NOT_FOUND',
    });
    expect(await failureOf(run(removeUserFromGroup, { user: login, group: 'Everyone' }))).toMatchObject({
      code: 'VENDOR_PERMISSION_MISSING',
    });
  });

  it('follows the pages of a list and says when it was cut', async () => {
    const all = await run(listUsers, {});
    expect(all.is_cut).toBe(false);
    const two = await run(listUsers, { limit: 2 });
    expect(two.is_cut).toBe(true);
    expect(two.users).toEqual((all.users as JsonObject[]).slice(0, 2));
    const found = await run(listUsers, { search: `profile.login eq "${login}"` });
    expect(found.users).toHaveLength(1);
  });

  it('lists the log newest first within its bounds', async () => {
    const { events } = await run(listSystemLog, { limit: 5, filter: 'eventType eq "user.session.start"' });
    const times = (events as JsonObject[]).map((event) => String(event.published));
    expect(times).toHaveLength(5);
    expect(times).toEqual(times.toSorted().toReversed());
    expect(await failureOf(run(listSystemLog, { start_time: 'yesterday' }))).toMatchObject({ code: 'VENDOR_REJECTED' });
  });

  it('reads the log from a durable cursor: nothing twice, nothing lost at page borders, equal times or late arrivals', async () => {
    const published = new Date(Date.now() + 60_000).toISOString();
    const same = (from: number, count: number) =>
      Array.from({ length: count }, (_, index) => ({ uuid: `e-${from + index}`, published, eventType: 'x' }));
    await addToLog(same(0, 1500));
    const uuids: unknown[] = [];
    let cursor: JsonObject | null = null;
    let pages = 0;
    for (let hasMore = true; hasMore && pages < 10; pages += 1) {
      const page: FetchPage = await fetchPage(cursor);
      uuids.push(...page.records.map((record) => record.uuid));
      // As if the process ended here: only what was stored as JSON is left.
      cursor = JSON.parse(JSON.stringify(page.cursor)) as JsonObject;
      hasMore = page.hasMore;
    }
    expect(pages).toBe(4);
    expect(new Set(uuids).size).toBe(uuids.length);
    expect(uuids).toHaveLength(1540);

    expect(await fetchPage(cursor)).toMatchObject({ records: [], hasMore: false });
    await addToLog([...same(1500, 1), { uuid: 'late', published: '2026-01-01T00:00:00.000Z', eventType: 'x' }]);
    const next = await fetchPage(cursor);
    expect(next.records.map((record) => record.uuid)).toEqual(['e-1500', 'late']);
    expect((await fetchPage(cursor)).records).toEqual(next.records);
  });

  it('reads the log in smaller pages where a page of it is too large for one answer', async () => {
    const published = new Date(Date.now() + 60_000).toISOString();
    const entries = Array.from({ length: 50 }, (_, index) => ({ uuid: `e-${index}`, published, eventType: 'x' }));
    await addToLog(entries.map((entry) => ({ ...entry, displayMessage: 'x'.repeat(10_000) })));
    const small = {
      ...actionContext(smallAnswers(fixture.egress, 200_000), { config: configured() }),
      now: () => new Date(),
    };
    const { records, cursor } = await poll(okta, small);
    expect(records.slice(-50).map(({ uuid }) => uuid)).toEqual(entries.map(({ uuid }) => uuid));
    expect(records).toHaveLength(40 + 50);
    expect((await poll(okta, small, { cursor })).records).toEqual([]);
  });

  it('goes on behind entries that are too large alone, which are told', async () => {
    const published = new Date(Date.now() + 60_000).toISOString();
    const huge = new Set([0, 7, 8, 19]);
    const entries = Array.from({ length: 20 }, (_, index) => ({
      ...{ uuid: `e-${index}`, published, eventType: 'x' },
      ...(huge.has(index) ? { displayMessage: 'x'.repeat(150_000) } : {}),
    }));
    await addToLog(entries);
    const small = {
      ...actionContext(smallAnswers(fixture.egress, 100_000), { config: configured() }),
      now: () => new Date(),
    };
    const { records, cursor, leftOut } = await poll(okta, small);
    const expected = entries.filter((_, index) => !huge.has(index)).map(({ uuid }) => uuid);
    expect(records.slice(-expected.length).map(({ uuid }) => uuid)).toEqual(expected);
    expect([records.length, leftOut]).toEqual([40 + 16, 4]);
    expect(await poll(okta, small, { cursor })).toMatchObject({ records: [], leftOut: 0 });
  });

  it('keeps only the entries a filter lets through', async () => {
    await addToLog([{ uuid: 'wanted', published: new Date(Date.now() + 60_000).toISOString(), eventType: 'wanted' }]);
    const page = await fetchPage(null, { filter: 'eventType eq "wanted"', lookback_hours: 1 });
    expect(page.records.map((record) => record.uuid)).toEqual(['wanted']);
  });

  it.each<[DisturbanceKind, string]>([
    ['unauthorized', 'VENDOR_CREDENTIALS_REFUSED'],
    ['forbidden', 'VENDOR_PERMISSION_MISSING'],
    ['rate_limited', 'VENDOR_RATE_LIMITED'],
    ['unavailable', 'VENDOR_UNAVAILABLE'],
    ['error_in_200', 'VENDOR_UNAVAILABLE'],
    ['html', 'VENDOR_ANSWER_UNREADABLE'],
    ['cut_json', 'VENDOR_ANSWER_UNREADABLE'],
    ['redirect', 'REDIRECT_REFUSED'],
  ])('turns %s into %s, changes nothing, and never shows the token', async (kind, code) => {
    for (const work of [() => run(suspendUser, { user: login }), () => fetchPage(null), () => run(listUsers, {})]) {
      fixture.sandbox.disturb({ vendor: 'okta', kind });
      const failure = await failureOf(work());
      expect(failure).toMatchObject({ code });
      expect(JSON.stringify(failure)).not.toContain(sandboxKeys.okta);
    }
    expect(userState()).toMatchObject({ status: 'ACTIVE' });
  });

  it("waits as long as Okta's own header says", async () => {
    fixture.sandbox.disturb({ vendor: 'okta', kind: 'rate_limited' });
    const error: unknown = await run(getUserAction, { user: login }).catch((thrown: unknown) => thrown);
    const failure = toVendorFailure(error, (text) => text);
    expect(failure.retryable).toBe(true);
    expect(failure.retry_after_s).toBeGreaterThan(30);
    expect(failure.retry_after_s).toBeLessThanOrEqual(61);
  });

  it('gives up on a slow vendor when told to', async () => {
    fixture.sandbox.disturb({ vendor: 'okta', kind: 'slow', delay_ms: 3000 });
    const context = actionContext(fixture.egress, {
      config: configured(),
      input: { user: login },
      signal: AbortSignal.timeout(50),
    });
    expect(await failureOf(getUserAction.run(context))).toMatchObject({ code: 'ABORTED' });
  });

  it.each([
    '../groups',
    'a/../../logs',
    '..',
    '.',
    'x\r\nx-evil: 1',
    '%2e%2e',
    'a?b#c',
    '\ud800',
    'ä'.repeat(101),
    7,
    '',
  ])('cannot be led elsewhere by the user %j', async (user) => {
    fixture.sandbox.reset();
    const failure = await failureOf(run(getUserAction, { user }));
    expect(['VENDOR_REJECTED', 'VENDOR_NOT_FOUND']).toContain(failure?.code);
    for (const call of calls()) expect(call).toMatch(/^GET \/api\/v1\/users\/[^/?#]+$/);
  });

  it('does not follow a next link to another place with the token', async () => {
    const egress = {
      request: async () => ({
        status: 200,
        headers: { link: '<https://evil.example/api/v1/users?after=1>; rel="next"' },
        text: '[]',
        retryAfterS: undefined,
      }),
    };
    const context = actionContext(egress, { config: configured() });
    expect(await failureOf(fetchLinkedPage(context, { path: '/api/v1/users' }))).toMatchObject({
      code: 'VENDOR_ANSWER_UNREADABLE',
    });
  });

  it('refuses an answer that is not a list instead of taking it for an empty one', async () => {
    const egress = { request: async () => ({ status: 200, headers: {}, text: '{"a":1}', retryAfterS: undefined }) };
    const context = { ...actionContext(egress, { config: configured() }), options: {}, cursor: null };
    expect(await failureOf(okta.fetchEvents?.(context) ?? Promise.resolve())).toMatchObject({
      code: 'VENDOR_ANSWER_UNREADABLE',
    });
  });

  it('tests a connection with reads alone and names the owner of the token', async () => {
    fixture.sandbox.reset();
    const test = await okta.testConnection?.(actionContext(fixture.egress, { config: configured() }));
    expect(test?.message).toMatch(/^Connected with a token of .+@/);
    expect(calls()).toEqual(['GET /api/v1/users/me']);
    const wrong = actionContext(fixture.egress, { config: configured({ api_token: 'wrong-token' }) });
    expect(await failureOf(okta.testConnection?.(wrong) ?? Promise.resolve())).toMatchObject({
      code: 'VENDOR_CREDENTIALS_REFUSED',
    });
  });
});

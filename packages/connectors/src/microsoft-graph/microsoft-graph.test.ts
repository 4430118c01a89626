import type { ActionDefinition } from '@airdeck/connector-kit/definition';
import type { Egress } from '@airdeck/connector-kit/egress';
import { EgressError } from '@airdeck/connector-kit/egress-error';
import { toVendorFailure } from '@airdeck/connector-kit/vendor-error';
import type { JsonObject } from '@airdeck/contracts/fields';
import type { DisturbanceKind } from '@airdeck/simulator/sandbox/disturbances';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fetchPage, poll, smallAnswers } from '../fetch-fixture.ts';
import { actionContext, failureOf, sandboxKeys, startVendorFixture } from '../sandbox-fixture.ts';
import { confirmCompromised } from './confirm-compromised.ts';
import { disableUser } from './disable-user.ts';
import { enableUser } from './enable-user.ts';
import { getAlert } from './get-alert.ts';
import { getUserAction } from './get-user.ts';
import { fetchValues, followLink, odataText } from './graph-client.ts';
import { listRiskyUsers } from './list-risky-users.ts';
import { listSignIns } from './list-sign-ins.ts';
import { microsoftGraph } from './microsoft-graph.ts';
import { revokeSignInSessions } from './revoke-sign-in-sessions.ts';
import { updateAlert } from './update-alert.ts';

type GraphState = { tenant_id: string; users: JsonObject[]; alerts: JsonObject[]; risky_users: JsonObject[] };

describe('Microsoft Graph against the sandbox', () => {
  let fixture: Awaited<ReturnType<typeof startVendorFixture>>;
  let user: string;
  beforeAll(async () => {
    fixture = await startVendorFixture();
  });
  afterAll(() => fixture.close());
  beforeEach(async () => {
    fixture.sandbox.reset();
    await microsoftGraph.testConnection?.(context());
    user = String(state().users[0]?.userPrincipalName);
  });

  const state = () => fixture.sandbox.state().microsoft_graph as GraphState;
  const configured = (overrides: JsonObject = {}): JsonObject => ({
    base_url: `${fixture.sandbox.url}/microsoft_graph/`,
    tenant_id: state().tenant_id,
    client_id: 'application-for-tests',
    client_secret: sandboxKeys.microsoft_graph,
    ...overrides,
  });
  const context = (overrides: JsonObject = {}, input: JsonObject = {}) => ({
    ...actionContext(fixture.egress, { config: configured(overrides), input }),
    now: () => new Date(),
  });
  const run = async (action: ActionDefinition, input: JsonObject, overrides: JsonObject = {}) => {
    const output = await action.run(context(overrides, input));
    // What is promised is there, and nothing else.
    expect(Object.keys(output).sort()).toEqual(Object.keys(action.output_schema.properties as object).sort());
    return output;
  };
  const userState = () => state().users[0];
  const calls = () => fixture.sandbox.state().calls.map(({ method, path }) => `${method} ${path.split('?')[0]}`);
  const train = (path: string, body: unknown = []) =>
    fetch(`${fixture.sandbox.url}/microsoft_graph/sandbox/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const alerts = (from: number, count: number, lastUpdateDateTime: string) =>
    Array.from({ length: count }, (_, index) => ({ id: `alert-${from + index}`, lastUpdateDateTime }));
  const idsOf = (records: readonly JsonObject[]) => records.map((record) => String(record.id));

  it('signs the application in as published and asks for Graph itself', async () => {
    const tokenCall = fixture.sandbox.state().calls.find((call) => call.path.endsWith('/oauth2/v2.0/token'));
    expect(tokenCall).toMatchObject({
      path: `/${state().tenant_id}/oauth2/v2.0/token`,
      body: { grant_type: 'client_credentials', scope: 'https://graph.microsoft.com/.default' },
    });
    expect(JSON.stringify(tokenCall)).not.toContain(sandboxKeys.microsoft_graph);
  });

  it('gives flat facts of a person, by name and by id', async () => {
    const found = await run(getUserAction, { user });
    expect(found).toMatchObject({ user_principal_name: user, enabled: true });
    expect(Object.keys(found).sort()).toEqual(Object.keys(getUserAction.output_schema.properties as object).sort());
    expect((await run(getUserAction, { user: found.id })).user_principal_name).toBe(user);
    expect(await failureOf(run(getUserAction, { user: 'nobody@larkspur.example' }))).toMatchObject({
      code: 'VENDOR_NOT_FOUND',
    });
  });

  it('disables and enables, and a second call of the same step sends no change', async () => {
    expect(await run(disableUser, { user })).toMatchObject({ user_principal_name: user, changed: true });
    expect(userState()).toMatchObject({ accountEnabled: false });
    expect((await run(disableUser, { user })).changed).toBe(false);
    expect((await run(enableUser, { user })).changed).toBe(true);
    expect(userState()).toMatchObject({ accountEnabled: true });
    expect(calls().filter((call) => call.startsWith('PATCH'))).toHaveLength(2);
  });

  it('revokes sessions and confirms a user as compromised', async () => {
    const before = userState()?.signInSessionsValidFromDateTime;
    expect((await run(revokeSignInSessions, { user })).changed).toBe(true);
    expect(userState()?.signInSessionsValidFromDateTime).not.toBe(before);
    await run(confirmCompromised, { user });
    await run(confirmCompromised, { user });
    const { users } = await run(listRiskyUsers, { risk_level: 'high' });
    expect(users).toMatchObject([{ user_principal_name: user, risk_state: 'confirmedCompromised' }]);
  });

  it('takes a success without a body for sessions that were revoked', async () => {
    const egress = {
      request: async (request: Parameters<typeof fixture.egress.request>[0]) => {
        const answer = await fixture.egress.request(request);
        return request.url.endsWith('/revokeSignInSessions') ? { ...answer, status: 204, text: '' } : answer;
      },
    };
    const output = await revokeSignInSessions.run({ ...context({}, { user }), egress });
    expect(output).toMatchObject({ user_principal_name: user, changed: true });
  });

  it('says that the sessions of a guest cannot be revoked, by name and by id, and does not ask for it', async () => {
    const guest = state().users.find((one) => String(one.userPrincipalName).includes('#EXT#'));
    for (const named of [guest?.userPrincipalName, guest?.id]) {
      expect(await failureOf(run(revokeSignInSessions, { user: named }))).toMatchObject({
        code: 'VENDOR_REJECTED',
        message: expect.stringContaining('Disable the account instead.'),
      });
    }
    expect(calls().filter((call) => call.startsWith('POST') && !call.endsWith('/token'))).toEqual([]);
    expect(await run(disableUser, { user: guest?.userPrincipalName })).toMatchObject({ changed: true });
  });

  it('reads and updates an alert, and takes only what Microsoft has names for', async () => {
    const id = String(state().alerts[0]?.id);
    expect(await run(getAlert, { alert_id: id })).toMatchObject({ id, status: 'new', techniques: ['T1059.001'] });
    const updated = await run(updateAlert, {
      alert_id: id,
      status: 'inProgress',
      classification: 'truePositive',
      assigned_to: user,
    });
    expect(updated).toMatchObject({ status: 'inProgress', classification: 'truePositive', assigned_to: user });
    expect(await failureOf(run(updateAlert, { alert_id: id }))).toMatchObject({ code: 'VENDOR_REJECTED' });
    expect(await failureOf(run(updateAlert, { alert_id: id, status: 'gone' }))).toMatchObject({
      code: 'VENDOR_REJECTED',
    });
    expect(await failureOf(run(getAlert, { alert_id: 'absent' }))).toMatchObject({ code: 'VENDOR_NOT_FOUND' });
  });

  it('does not fail on enumeration members that came after this was written', async () => {
    await train('alerts', [
      { id: 'future', lastUpdateDateTime: new Date().toISOString(), severity: 'unknownFutureValue', evidence: null },
    ]);
    expect(await run(getAlert, { alert_id: 'future' })).toMatchObject({ severity: 'unknownFutureValue', evidence: [] });
  });

  it('lists sign-ins newest first over several pages, of all or of one person', async () => {
    const all = await run(listSignIns, {});
    const times = (all.sign_ins as JsonObject[]).map((signIn) => String(signIn.time));
    expect(times).toHaveLength(60);
    expect(times).toEqual(times.toSorted().toReversed());
    const first = await run(listSignIns, { limit: 7 });
    expect(first).toMatchObject({ sign_ins: (all.sign_ins as JsonObject[]).slice(0, 7), is_cut: true });
    const own = await run(listSignIns, { user_principal_name: user.toUpperCase() });
    expect((own.sign_ins as JsonObject[]).every((signIn) => signIn.user_principal_name === user)).toBe(true);
    const egress = {
      request: (request: Parameters<typeof fixture.egress.request>[0]) =>
        fixture.egress.request({ ...request, url: request.url.replace('%24top=100', '%24top=9') }),
    };
    const paged = await listSignIns.run({ ...context(), egress });
    expect(paged).toEqual(all);
  });

  it('does not let a name end the quotes it stands in', async () => {
    expect(odataText("o'brien@example.com")).toBe("'o''brien@example.com'");
    const { sign_ins } = await run(listSignIns, { user_principal_name: "x' or userPrincipalName ne 'y" });
    expect(sign_ins).toEqual([]);
  });

  it('reads alerts without loss or double: equal times, page borders, restarts, changes and late ones', async () => {
    const soon = Date.now();
    const at = (seconds: number) => new Date(soon + seconds * 1000).toISOString();
    await train('alerts', [...alerts(0, 250, at(0)), ...alerts(250, 130, at(1)), ...alerts(380, 1, at(2))]);
    const first = await poll(microsoftGraph, context());
    expect(new Set(idsOf(first.records)).size).toBe(first.records.length);
    expect(first.records).toHaveLength(3 + 381);
    expect((await poll(microsoftGraph, context(), first)).records).toEqual([]);

    await train('alerts', [
      ...alerts(500, 1, at(-100)),
      { id: 'alert-1', lastUpdateDateTime: at(3), status: 'resolved' },
    ]);
    const second = await poll(microsoftGraph, context(), first);
    expect(idsOf(second.records)).toEqual(['alert-500', 'alert-1']);
    expect((await poll(microsoftGraph, context(), second)).records).toEqual([]);
  });

  it('reads alerts in smaller pages where a page of them is too large for one answer', async () => {
    const soon = Date.now();
    const at = (seconds: number) => new Date(soon + seconds * 1000).toISOString();
    const large = [...alerts(0, 30, at(0)), ...alerts(30, 20, at(1))];
    await train(
      'alerts',
      large.map((alert) => ({ ...alert, description: 'x'.repeat(10_000) })),
    );
    const egress = smallAnswers(fixture.egress, 200_000);
    const { records, cursor } = await poll(microsoftGraph, { ...context(), egress });
    expect(idsOf(records).slice(-50)).toEqual(large.map((alert) => alert.id));
    expect(records).toHaveLength(3 + 50);
    expect((await poll(microsoftGraph, { ...context(), egress }, { cursor })).records).toEqual([]);
  });

  it('goes on behind alerts that are too large alone, which are told once', async () => {
    const soon = Date.now();
    const at = (seconds: number) => new Date(soon + seconds * 1000).toISOString();
    const huge = new Set([0, 7, 8, 14]);
    const list = [...alerts(0, 10, at(0)), ...alerts(10, 5, at(1))];
    await train(
      'alerts',
      list.map((alert, index) => (huge.has(index) ? { ...alert, description: 'x'.repeat(150_000) } : alert)),
    );
    const narrow = { ...context(), egress: smallAnswers(fixture.egress, 100_000) };
    const first = await poll(microsoftGraph, narrow);
    const expected = list.filter((_, index) => !huge.has(index)).map((alert) => alert.id);
    expect(idsOf(first.records).slice(-expected.length)).toEqual(expected);
    expect([first.records.length, first.leftOut]).toEqual([3 + 11, 4]);
    expect(await poll(microsoftGraph, narrow, first)).toMatchObject({ records: [], leftOut: 0 });
  });

  it('asks for fewer alerts also along a link, which names a size of its own', async () => {
    const moment = new Date().toISOString();
    const list = alerts(0, 10, moment);
    const asked: string[] = [];
    const egress: Egress = {
      async request(request) {
        if (!request.url.includes('/alerts_v2')) return fixture.egress.request(request);
        const { pathname, searchParams, origin } = new URL(request.url);
        const [top, start] = [Number(searchParams.get('$top')), Number(searchParams.get('$skiptoken') ?? 0)];
        asked.push(`${start}:${top}`);
        if (top > 6) throw new EgressError('BODY_TOO_LARGE', 'too large');
        const end = start + top;
        const link = end < list.length ? `${origin}${pathname}?$top=${top}&$skiptoken=${end}` : undefined;
        const text = JSON.stringify({ value: list.slice(start, end), '@odata.nextLink': link });
        return { status: 200, headers: {}, text, retryAfterS: undefined };
      },
    };
    const { records } = await poll(microsoftGraph, { ...context(), egress }, { options: { lookback_hours: 0 } });
    expect(idsOf(records)).toEqual(list.map(({ id }) => id));
    expect(asked).toContain('6:100');
    expect(asked.at(-1)).toBe('6:6');
  });

  it('says so instead of leaving alerts out when more of one moment exist than can be asked for', async () => {
    await train('alerts', alerts(0, 650, new Date().toISOString()));
    expect(await failureOf(poll(microsoftGraph, context()))).toMatchObject({
      code: 'VENDOR_ANSWER_UNREADABLE',
      message: expect.stringContaining('more records of one moment'),
    });
  });

  it('repeats a page whose cursor was not stored, and keeps finer times than milliseconds apart', async () => {
    await train('alerts', [
      { id: 'fine-a', lastUpdateDateTime: '2026-11-21T10:00:00.1234567Z' },
      { id: 'fine-b', lastUpdateDateTime: '2026-11-21T10:00:00.1234569Z' },
    ]);
    const options = { lookback_hours: 2160, service_sources: ['microsoftDefenderForEndpoint', 'other'] };
    const first = await fetchPage(microsoftGraph, context(), { options });
    const again = await fetchPage(microsoftGraph, context(), { options });
    expect(idsOf(first.records).slice(0, 2)).toEqual(['fine-a', 'fine-b']);
    expect(idsOf(again.records)).toEqual(idsOf(first.records));
    const none = await fetchPage(microsoftGraph, context(), { options: { ...options, service_sources: ['other'] } });
    expect(none.records).toEqual([]);
  });

  it('renews an expired token once, for reads and for changes that may be repeated', async () => {
    const tokenCalls = () => calls().filter((call) => call.endsWith('/token')).length;
    const before = tokenCalls();
    await train('expire-tokens');
    expect((await run(getUserAction, { user })).user_principal_name).toBe(user);
    expect(tokenCalls()).toBe(before + 1);
    fixture.sandbox.disturb({ vendor: 'microsoft_graph', kind: 'unauthorized', times: 50, path: '/v1.0' });
    expect(await failureOf(run(getUserAction, { user }))).toMatchObject({ code: 'VENDOR_CREDENTIALS_REFUSED' });
    expect(tokenCalls()).toBeLessThanOrEqual(before + 2);
  });

  it.each<[string, JsonObject]>([
    ['a wrong secret', { client_secret: 'wrong-secret-for-tests' }],
    ['a wrong tenant', { tenant_id: 'unknown.example' }],
    ['a tenant that is a path', { tenant_id: '../../v1.0' }],
  ])('refuses %s without showing what was sent', async (_name, overrides) => {
    const failure = await failureOf(run(getUserAction, { user }, overrides));
    expect(['VENDOR_CREDENTIALS_REFUSED', 'VENDOR_REJECTED', 'VENDOR_NOT_FOUND']).toContain(failure?.code);
    expect(JSON.stringify(failure)).not.toMatch(new RegExp(`wrong-secret|${sandboxKeys.microsoft_graph}`));
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
  ])('turns %s into %s, changes nothing, and never shows secret or token', async (kind, code) => {
    for (const work of [() => run(disableUser, { user }), () => poll(microsoftGraph, context())]) {
      fixture.sandbox.disturb({ vendor: 'microsoft_graph', kind, path: '/v1.0', times: 2 });
      const failure = await failureOf(work());
      expect(failure).toMatchObject({ code });
      expect(JSON.stringify(failure)).not.toMatch(new RegExp(`${sandboxKeys.microsoft_graph}|Bearer`));
      expect(userState()).toMatchObject({ accountEnabled: true });
      fixture.sandbox.reset();
      await microsoftGraph.testConnection?.(context());
    }
  });

  it('waits as long as Microsoft says, and gives up on a slow answer when told to', async () => {
    fixture.sandbox.disturb({ vendor: 'microsoft_graph', kind: 'rate_limited', path: '/v1.0' });
    const error: unknown = await run(getUserAction, { user }).catch((thrown: unknown) => thrown);
    expect(toVendorFailure(error, (text) => text)).toMatchObject({ retryable: true, retry_after_s: 17 });
    fixture.sandbox.disturb({ vendor: 'microsoft_graph', kind: 'slow', delay_ms: 3000 });
    const slow = { ...context({}, { user }), signal: AbortSignal.timeout(50) };
    expect(await failureOf(getUserAction.run(slow))).toMatchObject({ code: 'ABORTED' });
  });

  it.each(['../groups', '..', 'a/../../x', 'x\r\nx-evil: 1', 'a?$select=x#y', '\ud800', 'u'.repeat(300), 7, ''])(
    'cannot be led elsewhere by the user %j',
    async (hostile) => {
      const before = calls().length;
      const failure = await failureOf(run(disableUser, { user: hostile }));
      expect(['VENDOR_REJECTED', 'VENDOR_NOT_FOUND']).toContain(failure?.code);
      for (const call of calls().slice(before)) expect(call).toMatch(/^GET \/v1\.0\/users\/[^/?#]+$/);
    },
  );

  it('follows no link to another place with the token, and takes no other body for an empty list', async () => {
    for (const link of [
      'https://evil.example/v1.0/users',
      `${fixture.sandbox.url}/okta/api/v1/users`,
      'javascript:1',
    ]) {
      expect(() => followLink(context(), link)).toThrow('another address');
    }
    const egress = {
      request: async () => ({
        status: 200,
        headers: {},
        text: '{"error_free":true,"access_token":"t"}',
        retryAfterS: undefined,
      }),
    };
    expect(
      await failureOf(fetchValues({ ...context({ client_id: 'odd' }), egress }, { path: '/v1.0/users' })),
    ).toMatchObject({
      code: 'VENDOR_ANSWER_UNREADABLE',
    });
  });

  it('goes to the cloud that was chosen, sign-in and Graph alike', async () => {
    const urls: string[] = [];
    const egress = {
      async request({ url }: { url: string }) {
        urls.push(url);
        return {
          status: 200,
          headers: {},
          text: '{"access_token":"t","expires_in":3599,"value":[]}',
          retryAfterS: undefined,
        };
      },
    };
    const config = { tenant_id: 'larkspur.example', client_id: 'x', client_secret: 'y', cloud: 'us_government' };
    await fetchValues({ ...context(), config, egress }, { path: '/v1.0/users' });
    expect(urls).toEqual([
      'https://login.microsoftonline.us/larkspur.example/oauth2/v2.0/token',
      'https://graph.microsoft.us/v1.0/users',
    ]);
  });

  it('tests a connection with reads alone and says which rights are missing', async () => {
    expect(
      calls()
        .filter((call) => !call.startsWith('GET'))
        .every((call) => call.endsWith('/token')),
    ).toBe(true);
    expect((await microsoftGraph.testConnection?.(context()))?.message).toBe(
      'Connected. The application may read alerts and users.',
    );
    fixture.sandbox.disturb({ vendor: 'microsoft_graph', kind: 'forbidden', path: '/v1.0/users' });
    expect((await microsoftGraph.testConnection?.(context()))?.metadata).toMatchObject({ alerts: true, users: false });
  });

  it('asks for no alerts in the cloud that has none when it tests a connection', async () => {
    const china = context({ cloud: 'china' });
    expect(await microsoftGraph.testConnection?.(china)).toEqual({
      message: 'Connected. The application may read users.',
      metadata: { tenant_id: state().tenant_id, users: true },
    });
    expect(await failureOf(poll(microsoftGraph, china))).toMatchObject({
      code: 'VENDOR_REJECTED',
      message: expect.stringContaining("segment 'alerts_v2'"),
    });
  });
});

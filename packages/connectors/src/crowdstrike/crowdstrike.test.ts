import { withCallMark } from '@airdeck/connector-kit/call-mark';
import type { ActionDefinition } from '@airdeck/connector-kit/definition';
import { toVendorFailure } from '@airdeck/connector-kit/vendor-error';
import type { JsonObject } from '@airdeck/contracts/fields';
import type { DisturbanceKind } from '@airdeck/simulator/sandbox/disturbances';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { poll, smallAnswers } from '../fetch-fixture.ts';
import { actionContext, failureOf, sandboxKeys, startVendorFixture } from '../sandbox-fixture.ts';
import { commentAlert } from './comment-alert.ts';
import { containHost } from './contain-host.ts';
import { createIoc } from './create-ioc.ts';
import { crowdstrike } from './crowdstrike.ts';
import { deleteIoc } from './delete-ioc.ts';
import { filterTerm } from './falcon-client.ts';
import { findHost } from './find-host.ts';
import { getAlert } from './get-alert.ts';
import { liftContainment } from './lift-containment.ts';
import { listIocs } from './list-iocs.ts';
import { updateAlert } from './update-alert.ts';

type FalconState = {
  hosts: { device_id: string; hostname: string; status: string }[];
  alerts: JsonObject[];
  indicators: JsonObject[];
};

describe('CrowdStrike Falcon against the sandbox', () => {
  let fixture: Awaited<ReturnType<typeof startVendorFixture>>;
  let hostname: string;
  beforeAll(async () => {
    fixture = await startVendorFixture();
  });
  afterAll(() => fixture.close());
  beforeEach(async () => {
    fixture.sandbox.reset();
    await crowdstrike.testConnection?.(context());
    hostname = state().hosts[0]?.hostname ?? '';
  });

  const configured = (overrides: JsonObject = {}): JsonObject => ({
    base_url: `${fixture.sandbox.url}/crowdstrike`,
    client_id: 'client-for-tests',
    client_secret: sandboxKeys.crowdstrike,
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
  const state = () => fixture.sandbox.state().crowdstrike as FalconState;
  const hostState = () => state().hosts.find((host) => host.hostname === hostname)?.status;
  const calls = () => fixture.sandbox.state().calls.map(({ method, path }) => `${method} ${path.split('?')[0]}`);
  const train = (path: string, body: unknown = []) =>
    fetch(`${fixture.sandbox.url}/crowdstrike/sandbox/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const alerts = (from: number, count: number, updated: string) =>
    Array.from({ length: count }, (_, index) => ({
      composite_id: `alert-${from + index}`,
      severity: index % 2 === 0 ? 80 : 10,
      updated_timestamp: updated,
    }));
  const idsOf = (records: readonly JsonObject[]) => records.map((record) => String(record.composite_id));

  it('finds a host by name, by address and by id, and knows when there is none', async () => {
    const { hosts, count } = await run(findHost, { host: hostname });
    const [host] = hosts as JsonObject[];
    expect(count).toBe(1);
    expect(host).toMatchObject({ hostname, status: 'normal', platform: 'Windows' });
    for (const by of [host?.local_ip, host?.device_id])
      expect((await run(findHost, { host: by })).hosts).toEqual(hosts);
    expect(await run(findHost, { host: 'nobody.example' })).toEqual({ hosts: [], count: 0 });
  });

  it('contains a host, sees it through, and asks only once for the same thing', async () => {
    const first = await run(containHost, { host: hostname });
    expect(first).toMatchObject({ hostname, changed: true, status: 'containment_pending' });
    expect(await run(containHost, { host: hostname })).toMatchObject({ changed: false, status: 'containment_pending' });
    expect(await run(containHost, { host: hostname })).toMatchObject({ changed: false, status: 'contained' });
    expect(calls().filter((call) => call.includes('devices-actions'))).toHaveLength(1);
    expect(await run(liftContainment, { host: hostname })).toMatchObject({ changed: true });
    await run(findHost, { host: hostname });
    expect(hostState()).toBe('normal');
    expect((await run(liftContainment, { host: hostname })).changed).toBe(false);
  });

  it('asks before it contains, and not before look-ups, tokens and lists', async () => {
    let marks = 0;
    const egress = withCallMark(fixture.egress, async () => {
      marks += 1;
    });
    await findHost.run({ ...context({ client_id: 'marked' }, { host: hostname }), egress });
    await poll(crowdstrike, { ...context(), egress });
    expect(marks).toBe(0);
    await containHost.run({ ...context({}, { host: hostname }), egress });
    expect(marks).toBeGreaterThan(0);
  });

  it('contains the host of that very name or address, never one that only begins so', async () => {
    await train('hosts', [
      { hostname: 'ws-10', local_ip: '198.51.100.10' },
      { hostname: 'ws-11', local_ip: '198.51.100.11' },
    ]);
    const statuses = () => Object.fromEntries(state().hosts.map((host) => [host.hostname, host.status]));
    for (const work of [containHost, liftContainment]) {
      expect(await failureOf(run(work, { host: 'ws-1' }))).toMatchObject({ code: 'VENDOR_NOT_FOUND' });
    }
    expect(await run(findHost, { host: 'ws-1' })).toEqual({ hosts: [], count: 0 });
    expect(statuses()).toMatchObject({ 'ws-10': 'normal', 'ws-11': 'normal' });

    await train('hosts', [{ hostname: 'WS-1', local_ip: '198.51.100.1' }]);
    expect(await run(containHost, { host: 'ws-1' })).toMatchObject({ hostname: 'WS-1', changed: true });
    expect(await run(containHost, { host: '198.51.100.11' })).toMatchObject({ hostname: 'ws-11', changed: true });
    expect(statuses()).toMatchObject({ 'ws-10': 'normal', 'ws-11': expect.not.stringMatching('^normal$') });

    await train('hosts', [{ hostname: 'ws-1', local_ip: '198.51.100.2' }]);
    expect(await failureOf(run(containHost, { host: 'ws-1' }))).toMatchObject({ code: 'VENDOR_CONFLICT' });
  });

  it('finds the exact name behind a page of longer ones, and says so where there are too many to compare', async () => {
    const numbered = (count: number) => Array.from({ length: count }, (_, index) => ({ hostname: `ws-1${index}` }));
    await train('hosts', [...numbered(600), { hostname: 'ws-1' }]);
    expect(await run(containHost, { host: 'ws-1' })).toMatchObject({ hostname: 'ws-1', changed: true });
    await train('hosts', numbered(1500));
    expect(await failureOf(run(liftContainment, { host: 'ws-1' }))).toMatchObject({
      code: 'VENDOR_CONFLICT',
      message: expect.stringContaining('Give the device id'),
    });
  });

  it('contains nothing when the host is not known', async () => {
    expect(await failureOf(run(containHost, { host: 'absent.example' }))).toMatchObject({ code: 'VENDOR_NOT_FOUND' });
    expect(await failureOf(run(containHost, { host: 'a'.repeat(31).padEnd(32, '0') }))).toMatchObject({
      code: 'VENDOR_NOT_FOUND',
    });
    expect(calls().some((call) => call.includes('devices-actions'))).toBe(false);
  });

  it.each(["x'+status:'contained", '*', 'a*', '../queries', 'a b', 'x\r\ny', '', 7, '{"ids":[]}', 'h'.repeat(300)])(
    'sends nothing for %j, which would search for something else',
    async (host) => {
      fixture.sandbox.reset();
      expect(await failureOf(run(containHost, { host }))).toMatchObject({ code: 'VENDOR_REJECTED' });
      expect(fixture.sandbox.state().calls).toEqual([]);
    },
  );

  it('never joins a quote or a wildcard into a filter', () => {
    expect(filterTerm('hostname', 'ws-001.example')).toBe("hostname:'ws-001.example'");
    for (const value of ["a'b", 'a*', 'a\\', 'a\nb', 'a+b', '']) expect(() => filterTerm('x', value)).toThrow();
  });

  it('reads, updates and comments an alert', async () => {
    const id = String(state().alerts[0]?.composite_id);
    expect(await run(getAlert, { alert_id: id })).toMatchObject({ id, status: 'new', severity: 70 });
    const updated = await run(updateAlert, {
      alert_id: id,
      status: 'in_progress',
      add_tag: 'case-77',
      assign_to: 'ada@example.com',
    });
    expect(updated).toMatchObject({ status: 'in_progress', tags: ['case-77'], assigned_to: 'ada@example.com' });
    await run(updateAlert, { alert_id: id, remove_tag: 'case-77' });
    await run(commentAlert, { alert_id: id, comment: 'seen\nby the team' });
    expect(state().alerts[0]).toMatchObject({ tags: [], comments: [{ value: 'seen\nby the team' }] });
    // After the comment nothing is asked that could fail and have it made once more.
    expect(calls().at(-1)).toMatch(/^PATCH /);
  });

  it('takes an answer without resources and errors for done, and one that is not from Falcon for no answer', async () => {
    const id = String(state().alerts[0]?.composite_id);
    const answered = (text: string) => ({
      request: async (request: Parameters<typeof fixture.egress.request>[0]) => {
        const answer = await fixture.egress.request(request);
        return request.method === 'PATCH' ? { ...answer, text } : answer;
      },
    });
    const comment = (text: string) =>
      commentAlert.run({ ...context({}, { alert_id: id, comment: 'seen' }), egress: answered(text) });
    expect(await comment('{"meta":{"query_time":0.02,"trace_id":"t"}}')).toMatchObject({ id });
    for (const other of ['{}', '{"meta":{}}', '{"meta":"x"}', '{"result":"ok"}']) {
      expect(await failureOf(comment(other))).toMatchObject({ code: 'VENDOR_ANSWER_UNREADABLE' });
    }
  });

  it('takes an error for one id inside a success for the failure it is', async () => {
    expect(await failureOf(run(getAlert, { alert_id: 'unknown' }))).toMatchObject({ code: 'VENDOR_NOT_FOUND' });
    expect(await failureOf(run(updateAlert, { alert_id: 'unknown', status: 'closed' }))).toMatchObject({
      code: 'VENDOR_NOT_FOUND',
      message: expect.stringContaining('alert not found'),
    });
    expect(await failureOf(run(updateAlert, { alert_id: 'unknown' }))).toMatchObject({ code: 'VENDOR_REJECTED' });
    expect(await failureOf(run(updateAlert, { alert_id: 'x', status: 'gone' }))).toMatchObject({
      code: 'VENDOR_REJECTED',
    });
  });

  it('creates an indicator once, lists it by value and deletes it by id', async () => {
    const created = await run(createIoc, { value: 'Evil.Example', severity: 'high', description: 'case 77' });
    expect(created).toMatchObject({ type: 'domain', value: 'evil.example', action: 'detect', changed: true });
    expect(await run(createIoc, { value: 'evil.example' })).toMatchObject({ id: created.id, changed: false });
    expect(state().indicators).toHaveLength(1);
    await run(createIoc, { value: '203.0.113.7' });
    expect((await run(listIocs, { value: 'evil.example' })).indicators).toHaveLength(1);
    expect((await run(listIocs, { type: 'ipv4' })).indicators).toMatchObject([{ value: '203.0.113.7' }]);
    expect(await run(listIocs, { limit: 1 })).toMatchObject({ is_cut: true });
    expect(await run(deleteIoc, { indicator_id: created.id })).toMatchObject({ changed: true });
    expect(await run(deleteIoc, { indicator_id: created.id })).toMatchObject({ changed: false });
    expect(state().indicators).toHaveLength(1);
  });

  it('does not take an indicator that only resembles the value for it', async () => {
    await run(createIoc, { value: 'evil.example.org' });
    // As where the vendor's search answers with more than was asked for.
    const egress = {
      request: (request: Parameters<typeof fixture.egress.request>[0]) =>
        fixture.egress.request({ ...request, url: request.url.replace(/filter=[^&]*/, 'filter=') }),
    };
    const created = await createIoc.run({ ...context({}, { value: 'evil.example' }), egress });
    expect(created).toMatchObject({ value: 'evil.example', changed: true });
    const again = await createIoc.run({ ...context({}, { value: 'evil.example' }), egress });
    expect(again).toMatchObject({ id: created.id, changed: false });
  });

  it('follows the pages of the indicators', async () => {
    for (let index = 1; index <= 5; index += 1) await run(createIoc, { value: `203.0.113.${index}` });
    const egress = {
      request: (request: Parameters<typeof fixture.egress.request>[0]) =>
        fixture.egress.request({ ...request, url: request.url.replace('limit=100', 'limit=2') }),
    };
    const { indicators, is_cut } = await listIocs.run({ ...context(), egress });
    expect((indicators as JsonObject[]).map((one) => one.value)).toHaveLength(5);
    expect(is_cut).toBe(false);
  });

  it.each(['*', 'not an indicator', "x'", 'http://evil.example', '203.0.113.0/24', 'g'.repeat(64)])(
    'creates no indicator for %j',
    async (value) => {
      expect(await failureOf(run(createIoc, { value }))).toMatchObject({ code: 'VENDOR_REJECTED' });
    },
  );

  it.each(['', 'a,b', '*', 'x&filter=type:1', '../x'])('deletes nothing for the id %j', async (id) => {
    fixture.sandbox.reset();
    expect(await failureOf(run(deleteIoc, { indicator_id: id }))).toMatchObject({ code: 'VENDOR_REJECTED' });
    expect(fixture.sandbox.state().calls).toEqual([]);
  });

  it('reads alerts without loss or double: equal times, page borders, restarts, changes and late ones', async () => {
    const soon = Date.now();
    const at = (seconds: number) => new Date(soon + seconds * 1000).toISOString();
    // 2,400 of one moment: two and a half pages that only the vendor's own continuation can tell apart.
    await train('alerts', [...alerts(0, 2400, at(0)), ...alerts(2400, 700, at(1)), ...alerts(3100, 300, at(2))]);
    const first = await poll(crowdstrike, context());
    expect(new Set(idsOf(first.records)).size).toBe(first.records.length);
    expect(first.records).toHaveLength(3 + 3400);

    expect((await poll(crowdstrike, context(), first)).records).toEqual([]);
    await train('alerts', [
      ...alerts(5000, 1, at(-100)),
      { composite_id: 'alert-1', updated_timestamp: at(3), status: 'closed' },
    ]);
    const second = await poll(crowdstrike, context(), first);
    expect(idsOf(second.records)).toEqual(['alert-5000', 'alert-1']);
    expect((await poll(crowdstrike, context(), second)).records).toEqual([]);
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
    const { records, cursor } = await poll(crowdstrike, { ...context(), egress });
    expect(idsOf(records).slice(-50)).toEqual(large.map((alert) => alert.composite_id));
    expect(records).toHaveLength(3 + 50);
    expect((await poll(crowdstrike, { ...context(), egress }, { cursor })).records).toEqual([]);
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
    const first = await poll(crowdstrike, narrow);
    const expected = list.filter((_, index) => !huge.has(index)).map((alert) => alert.composite_id);
    expect(idsOf(first.records).slice(-expected.length)).toEqual(expected);
    expect([first.records.length, first.leftOut]).toEqual([3 + 11, 4]);
    expect(await poll(crowdstrike, narrow, first)).toMatchObject({ records: [], leftOut: 0 });
  });

  it('fetches from a severity on', async () => {
    await train('alerts', alerts(0, 10, new Date().toISOString()));
    const { records } = await poll(crowdstrike, context(), { options: { min_severity: 80 } });
    expect(idsOf(records)).toEqual(['alert-0', 'alert-2', 'alert-4', 'alert-6', 'alert-8']);
  });

  it('renews an expired token once, and one token serves many calls at the same time', async () => {
    fixture.sandbox.reset();
    const own = { client_id: 'parallel' };
    await Promise.all(Array.from({ length: 20 }, () => run(findHost, { host: hostname }, own)));
    expect(calls().filter((call) => call.includes('/oauth2/token'))).toHaveLength(1);
    await train('expire-tokens');
    expect((await run(findHost, { host: hostname }, own)).count).toBe(1);
    expect(calls().filter((call) => call.includes('/oauth2/token'))).toHaveLength(2);
  });

  it('does not ask for tokens for ever when even a new one is refused', async () => {
    fixture.sandbox.reset();
    fixture.sandbox.disturb({ vendor: 'crowdstrike', kind: 'unauthorized', times: 50, path: '/devices' });
    expect(await failureOf(run(findHost, { host: hostname }))).toMatchObject({ code: 'VENDOR_CREDENTIALS_REFUSED' });
    expect(calls().filter((call) => call.includes('/oauth2/token')).length).toBeLessThanOrEqual(2);
  });

  it('tells wrong credentials from missing rights', async () => {
    const wrong = { client_secret: 'wrong-secret-for-tests' };
    const failure = await failureOf(run(findHost, { host: hostname }, wrong));
    expect(failure).toMatchObject({ code: 'VENDOR_CREDENTIALS_REFUSED' });
    expect(JSON.stringify(failure)).not.toContain('wrong-secret-for-tests');
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
  ])('turns %s into %s, contains nothing, and never shows secret or token', async (kind, code) => {
    const works: [string, () => Promise<unknown>][] = [
      ['/devices', () => run(containHost, { host: hostname })],
      ['/alerts', () => poll(crowdstrike, context())],
    ];
    for (const [path, work] of works) {
      fixture.sandbox.disturb({ vendor: 'crowdstrike', kind, path, times: 2 });
      const failure = await failureOf(work());
      expect(failure).toMatchObject({ code });
      expect(JSON.stringify(failure)).not.toMatch(new RegExp(`${sandboxKeys.crowdstrike}|Bearer`));
      fixture.sandbox.reset();
    }
    expect(calls().some((call) => call.includes('devices-actions'))).toBe(false);
  });

  it("waits as long as Falcon's own header says, and gives up on a slow one when told to", async () => {
    fixture.sandbox.disturb({ vendor: 'crowdstrike', kind: 'rate_limited' });
    const error: unknown = await run(findHost, { host: hostname }).catch((thrown: unknown) => thrown);
    const failure = toVendorFailure(error, (text) => text);
    expect(failure.retry_after_s).toBeGreaterThan(10);
    expect(failure.retry_after_s).toBeLessThanOrEqual(31);
    fixture.sandbox.disturb({ vendor: 'crowdstrike', kind: 'slow', delay_ms: 3000 });
    const slow = { ...context({}, { host: hostname }), signal: AbortSignal.timeout(50) };
    expect(await failureOf(findHost.run(slow))).toMatchObject({ code: 'ABORTED' });
  });

  it('tests a connection with reads alone and says which rights are missing', async () => {
    fixture.sandbox.reset();
    expect(await crowdstrike.testConnection?.(context())).toEqual({
      message: 'Connected. The client may read alerts and hosts.',
      metadata: { alerts: true, hosts: true },
    });
    expect(calls().filter((call) => !call.startsWith('GET'))).toEqual(['POST /oauth2/token']);
    fixture.sandbox.disturb({ vendor: 'crowdstrike', kind: 'forbidden', path: '/devices' });
    expect((await crowdstrike.testConnection?.(context()))?.message).toContain('not allowed: hosts');
    fixture.sandbox.disturb({ vendor: 'crowdstrike', kind: 'forbidden', times: 2 });
    expect(await failureOf(crowdstrike.testConnection?.(context()) ?? Promise.resolve())).toMatchObject({
      code: 'VENDOR_PERMISSION_MISSING',
    });
  });
});

import type { JsonObject } from '@airdeck/contracts/fields';
import { describe, expect, it } from 'vitest';
import { useConnector, vendorFailure } from '../connector-fixture.ts';
import { sandboxKeys } from '../sandbox-fixture.ts';
import { pagerduty } from './pagerduty.ts';

const config = (url: string) => ({
  base_url: url,
  routing_key: sandboxKeys.pagerduty,
  api_token: sandboxKeys.pagerduty,
  from_email: 'ada@example.com',
});
const alert = { summary: 'Password spray', source: 'okta', severity: 'critical' };

describe('PagerDuty against the sandbox', () => {
  const connector = useConnector(pagerduty, config);
  const { run, calls, state } = connector;
  const incidents = () => state().incidents as JsonObject[];

  it('triggers, acknowledges and resolves one alert by its key', async () => {
    const { dedup_key } = await run('trigger', { ...alert, dedup_key: 'case-77', custom_details: { tries: 40 } });
    expect(dedup_key).toBe('case-77');
    await run('trigger', { ...alert, dedup_key: 'case-77' });
    await run('acknowledge', { dedup_key });
    expect(incidents()).toMatchObject([{ key: 'case-77', status: 'acknowledged', severity: 'critical' }]);
    await run('resolve', { dedup_key });
    expect(incidents()).toMatchObject([{ status: 'resolved' }]);
  });

  it('wakes nobody twice when a step is repeated', async () => {
    for (const idempotencyKey of ['run-1:step:0', 'run-1:step:0', 'run-2:step:0'])
      await run('trigger', alert, {}, { idempotencyKey });
    expect(incidents().map(({ key }) => key)).toEqual(['run-1:step:0', 'run-2:step:0']);
  });

  it('finds the incident of an alert and adds a note to it', async () => {
    await run('trigger', { ...alert, dedup_key: 'case-78' });
    const found = await run('find_incident', { dedup_key: 'case-78' });
    expect(found).toMatchObject({ found: true, status: 'triggered', title: 'Password spray' });
    await run('create_note', { incident_id: found.incident_id, content: 'Account suspended.' });
    expect(incidents()).toMatchObject([{ notes: ['Account suspended.'] }]);
    expect(await run('find_incident', { dedup_key: 'absent' })).toMatchObject({ found: false, incident_id: null });
  });

  it('lists who is on call over several pages', async () => {
    const request: typeof send = (one) => send({ ...one, url: one.url.replace('limit=100', 'limit=5') });
    const send = connector.egress().request;
    const all = await run('list_oncalls', {}, {}, { egress: { request } });
    const people = (all.oncalls as JsonObject[]).map(({ user_id, level }) => `${user_id} ${level}`);
    expect(people.length).toBeGreaterThan(10);
    expect(new Set(people).size).toBe(people.length);
    expect(calls().length).toBeGreaterThan(2);
    const one = await run('list_oncalls', { escalation_policy_id: 'PPOLICY1', limit: 2 });
    expect(one).toMatchObject({ oncalls: [{ escalation_policy: 'Policy 1' }, {}], has_more: true });
  });

  it('does not show the routing key, neither in a failure nor in what the sandbox shows', async () => {
    const failure = await vendorFailure(run('trigger', alert, { routing_key: 'wrong-routing-key' }));
    expect(failure).toMatchObject({ code: 'VENDOR_REJECTED', message: expect.stringContaining('routing_key') });
    expect(JSON.stringify(failure)).not.toContain('wrong-routing-key');
    await run('trigger', alert);
    expect(JSON.stringify(connector.bodies().at(-1))).not.toContain(sandboxKeys.pagerduty);
  });

  it('tests what can be tested without waking somebody, and says so', async () => {
    expect((await connector.testConnection()).message).toContain('API token works');
    const noToken = await connector.testConnection({ api_token: '' });
    expect(noToken.message).toContain('Only an alert would show');
    const wrongForm = connector.testConnection({ base_url: '', routing_key: 'short' });
    expect(await vendorFailure(wrongForm)).toMatchObject({ code: 'CONNECTOR_CONFIG_INVALID' });
    expect(incidents()).toEqual([]);
  });

  it('asks for the settings an action needs', async () => {
    expect(await vendorFailure(run('list_oncalls', {}, { api_token: '' }))).toMatchObject({
      code: 'CONNECTOR_CONFIG_INVALID',
    });
    const note = { incident_id: 'PSANDBOX0001', content: 'x' };
    expect(await vendorFailure(run('create_note', note, { from_email: '' }))).toMatchObject({
      code: 'CONNECTOR_CONFIG_INVALID',
    });
    expect(await vendorFailure(run('create_note', note, { from_email: 'a@example.com\r\nx-evil: 1' }))).toMatchObject({
      code: 'VENDOR_REJECTED',
    });
    expect(calls()).toEqual([]);
  });

  it.each(['us', 'eu'])('knows both addresses of the region %s by itself', async (region) => {
    const hosts: string[] = [];
    const egress = {
      async request({ url }: { url: string }) {
        hosts.push(new URL(url).host);
        const text = JSON.stringify({ status: 'success', message: 'ok', dedup_key: 'k', oncalls: [] });
        return { status: 200, headers: {}, text, retryAfterS: undefined };
      },
    };
    await run('resolve', { dedup_key: 'k' }, { base_url: '', region }, { egress });
    await run('list_oncalls', {}, { base_url: '', region }, { egress });
    const part = region === 'eu' ? 'eu.' : '';
    expect(hosts).toEqual([`events.${part}pagerduty.com`, `api.${part}pagerduty.com`]);
  });

  it.each<[string, JsonObject]>([
    ['trigger', { ...alert, severity: 'fatal' }],
    ['trigger', { ...alert, links: [{ href: 'javascript:alert(1)' }] }],
    ['trigger', { ...alert, custom_details: { a: 'x'.repeat(300_000) } }],
    ['trigger', { ...alert, summary: 'x'.repeat(1025) }],
    ['acknowledge', { dedup_key: '' }],
    ['resolve', { dedup_key: 'a\nb' }],
    ['create_note', { incident_id: '../users', content: 'x' }],
    ['list_oncalls', { schedule_id: 'P1&limit=1' }],
  ])('sends nothing for %s of %j', async (verb, input) => {
    expect(await vendorFailure(run(verb, input))).toMatchObject({ code: 'VENDOR_REJECTED' });
    expect(calls()).toEqual([]);
  });
});

import { withCallMark } from '@airdeck/connector-kit/call-mark';
import type { Egress } from '@airdeck/connector-kit/egress';
import type { JsonObject } from '@airdeck/contracts/fields';
import type { DisturbanceKind } from '@airdeck/simulator/sandbox/disturbances';
import { describe, expect, it } from 'vitest';
import { useConnector, vendorFailure } from '../connector-fixture.ts';
import { sandboxKeys } from '../sandbox-fixture.ts';
import { panos } from './panos.ts';

const ADDRESS = '203.0.113.7';

describe('PAN-OS against the sandbox', () => {
  const connector = useConnector(panos, (url) => ({ base_url: `${url}/`, api_key: sandboxKeys.panos }));
  const { run, calls, control, disturb, testConnection } = connector;
  const state = () => connector.state() as { tags: Record<string, Record<string, number | null>>; commits: number };

  it('tests a connection without changing anything', async () => {
    expect(await testConnection()).toEqual({
      message: 'Connected to sandbox-pa with PAN-OS 10.2.9.',
      metadata: { hostname: 'sandbox-pa', model: 'PA-VM', serial: '007000000000001', version: '10.2.9' },
    });
    expect(state()).toEqual({ tags: {}, commits: 0 });
  });

  it('blocks once however often it is asked, and unblocks as often', async () => {
    expect(await run('block_address', { address: ADDRESS })).toEqual({
      address: ADDRESS,
      tag: 'airdeck-blocked',
      changed: true,
    });
    expect((await run('block_address', { address: ADDRESS })).changed).toBe(false);
    expect(state().tags).toEqual({ [ADDRESS]: { 'airdeck-blocked': null } });
    expect((await run('unblock_address', { address: ADDRESS })).changed).toBe(true);
    expect((await run('unblock_address', { address: ADDRESS })).changed).toBe(false);
    expect(state().tags).toEqual({});
  });

  it('blocks for a time, under another tag, and IPv6 in one spelling', async () => {
    await run('block_address', { address: '2001:DB8:0::7', minutes: 60, tag: 'other' });
    expect(state().tags).toEqual({ '2001:db8::7': { other: 3600 } });
    expect((await run('block_address', { address: '2001:db8::0007', tag: 'other' })).changed).toBe(false);
  });

  it('is the same success for twenty calls at the same time', async () => {
    const outputs = await Promise.all(Array.from({ length: 20 }, () => run('block_address', { address: ADDRESS })));
    expect(outputs.filter(({ changed }) => changed)).toHaveLength(1);
    expect(state().tags).toEqual({ [ADDRESS]: { 'airdeck-blocked': null } });
  });

  it('lists every page of what has the tag, and only that', async () => {
    const addresses = Array.from({ length: 620 }, (_none, index) => `10.0.${Math.floor(index / 250)}.${index % 250}`);
    await control('POST', 'tags', Object.fromEntries(addresses.map((one) => [one, 'airdeck-blocked'])));
    await control('POST', 'tags', { '10.9.9.9': 'something-else' });
    expect(await run('list_blocked', { limit: 5000 })).toEqual({ tag: 'airdeck-blocked', addresses, is_cut: false });
    expect(await run('list_blocked', { limit: 10 })).toMatchObject({ is_cut: true });
    expect((await run('list_blocked', { tag: 'something-else' })).addresses).toEqual(['10.9.9.9']);
  });

  it('follows a commit to its end, and says when there is nothing to commit', async () => {
    expect(await run('commit', {})).toEqual({ job_id: null, changed: false });
    await control('POST', 'edit');
    const { job_id } = await run('commit', {});
    expect(await run('get_commit_status', { job_id })).toMatchObject({
      is_finished: false,
      succeeded: null,
      progress: '55',
    });
    expect(await run('get_commit_status', { job_id })).toMatchObject({
      is_finished: true,
      succeeded: true,
      details: ['Configuration committed successfully'],
    });
    expect(await vendorFailure(run('get_commit_status', { job_id: '999' }))).toMatchObject({
      code: 'VENDOR_NOT_FOUND',
    });
  });

  it('reads address groups, dynamic and static', async () => {
    expect(await run('get_address_group', { group: 'Blocked by AIRdeck' })).toMatchObject({
      filter: "'airdeck-blocked'",
      members: [],
    });
    expect(await run('get_address_group', { group: 'servers' })).toMatchObject({
      filter: null,
      members: ['web-1', 'web-2'],
    });
    expect(await vendorFailure(run('get_address_group', { group: 'absent' }))).toMatchObject({
      code: 'VENDOR_NOT_FOUND',
    });
  });

  it.each<[string, JsonObject]>([
    ['block_address', { address: '203.0.113.0/24' }],
    ['block_address', { address: '203.0.113.7"/><entry ip="0.0.0.0' }],
    ['block_address', { address: 'host.example' }],
    ['block_address', { address: ADDRESS, tag: '</member><member>x' }],
    ['block_address', { address: ADDRESS, tag: 'a&b' }],
    ['get_address_group', { group: "x'] | //entry[@name='y" }],
    ['get_commit_status', { job_id: '1</id>' }],
    ['get_commit_status', { job_id: '' }],
  ])('sends nothing for %s of %j', async (verb, input) => {
    expect(await vendorFailure(run(verb, input))).toMatchObject({ code: 'VENDOR_REJECTED' });
    expect(calls()).toEqual([]);
  });

  it('sends nothing for a virtual system that would change a path', async () => {
    const overrides = { vsys: "vsys1']/../.." };
    expect(await vendorFailure(run('block_address', { address: ADDRESS }, overrides))).toMatchObject({
      code: 'CONNECTOR_CONFIG_INVALID',
    });
    expect(calls()).toEqual([]);
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
  ])('turns %s into %s, without the key and without a change', async (kind, code) => {
    for (const work of [() => testConnection(), () => run('block_address', { address: ADDRESS })]) {
      disturb(kind);
      const failure = await vendorFailure(work());
      expect(failure?.code).toBe(code);
      expect(JSON.stringify(failure)).not.toContain('key-for-tests');
    }
    expect(state().tags).toEqual({});
  });

  it('does not take a refused block for one that is there already', async () => {
    disturb('error_in_200', { path: '/api/?type=user-id' });
    expect(await vendorFailure(run('block_address', { address: ADDRESS }))).toMatchObject({ code: 'VENDOR_REJECTED' });
    expect(state().tags).toEqual({});
  });

  it('refuses a wrong key without saying it', async () => {
    const failure = await vendorFailure(testConnection({ api_key: 'wrong-key-of-a-tenant' }));
    expect(failure?.code).toBe('VENDOR_CREDENTIALS_REFUSED');
    expect(JSON.stringify(failure)).not.toContain('wrong-key-of-a-tenant');
  });

  it('stops when told to, without waiting for a slow firewall', async () => {
    disturb('slow', { delay_ms: 3000 });
    expect((await vendorFailure(testConnection({}, { signal: AbortSignal.timeout(50) })))?.code).toBe('ABORTED');
  });

  it('asks before a call that changes something, and not before one that reads', async () => {
    let marks = 0;
    const egress = withCallMark(connector.egress(), async () => {
      marks += 1;
    });
    await testConnection({}, { egress });
    await run('list_blocked', {}, {}, { egress });
    await run('get_address_group', { group: 'servers' }, {}, { egress });
    expect(marks).toBe(0);
    await run('block_address', { address: ADDRESS }, {}, { egress });
    expect(marks).toBe(1);
  });

  const answering = (text: string): Egress => ({
    request: async () => ({ status: 200, headers: {}, text, retryAfterS: undefined }),
  });

  it.each([
    '<!DOCTYPE r [<!ENTITY a "x">]><response status="success"><result><system><hostname>&a;</hostname></system></result></response>',
    '<response><result><system/></result></response>',
    '<response status="success"/>',
    '<other status="success"/>',
    'OK',
    '',
  ])('does not read %j as a firewall', async (text) => {
    const failure = await vendorFailure(testConnection({}, { egress: answering(text) }));
    expect(['VENDOR_ANSWER_UNREADABLE', 'VENDOR_REJECTED']).toContain(failure?.code);
  });

  it('waits for the commit of somebody else instead of giving up', async () => {
    const text =
      '<response status="error" code="13"><msg><line>Another commit/validate is in progress. Please try again later</line></msg></response>';
    expect(await vendorFailure(run('commit', {}, {}, { egress: answering(text) }))).toMatchObject({
      code: 'VENDOR_RATE_LIMITED',
      message: expect.stringContaining('Another commit/validate is in progress'),
      retryable: true,
      outcome_unknown: false,
      retry_after_s: 30,
    });
  });

  it("gives the firewall's own words for a refusal", async () => {
    const text =
      '<response status="error"><msg><line><uid-response><version>2.0</version><payload><register><entry ip="192.0.2.1" message="limit of tags reached"/></register></payload></uid-response></line></msg></response>';
    const failure = await vendorFailure(testConnection({}, { egress: answering(text) }));
    expect(failure).toMatchObject({
      code: 'VENDOR_REJECTED',
      message: 'PAN-OS rejected the request (HTTP 200): limit of tags reached',
    });
  });
});

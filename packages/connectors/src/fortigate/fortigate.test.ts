import { withCallMark } from '@airdeck/connector-kit/call-mark';
import type { JsonObject } from '@airdeck/contracts/fields';
import type { DisturbanceKind } from '@airdeck/simulator/sandbox/disturbances';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { actionContext, failureOf, sandboxKeys, startVendorFixture } from '../sandbox-fixture.ts';
import { blockAddress } from './block-address.ts';
import { addressOf } from './block-list.ts';
import { fortigate } from './fortigate.ts';
import { fortiPath } from './fortigate-client.ts';
import { getSystemStatus } from './get-system-status.ts';
import { listBlocked } from './list-blocked.ts';
import { listPolicies } from './list-policies.ts';
import { unblockAddress } from './unblock-address.ts';

describe('FortiGate against the sandbox', () => {
  let fixture: Awaited<ReturnType<typeof startVendorFixture>>;
  beforeAll(async () => {
    fixture = await startVendorFixture();
  });
  afterAll(() => fixture.close());
  beforeEach(() => fixture.sandbox.reset());

  const configured = (overrides: JsonObject = {}): JsonObject => ({
    base_url: `${fixture.sandbox.url}/fortigate/`,
    api_token: sandboxKeys.fortigate,
    ...overrides,
  });
  const run = (action: typeof blockAddress, input: JsonObject, overrides: JsonObject = {}) =>
    action.run(actionContext(fixture.egress, { config: configured(overrides), input }));
  const firewall = () => fixture.sandbox.state().fortigate;

  it('creates the address object and puts it into the group', async () => {
    const output = await run(blockAddress, { address: '203.0.113.7', comment: 'case 77' });
    expect(output).toEqual({
      address: '203.0.113.7',
      object: 'airdeck-203.0.113.7',
      group: 'AIRdeck-Blocked',
      changed: true,
    });
    expect(firewall()).toEqual({
      addresses: [{ name: 'airdeck-203.0.113.7', subnet: '203.0.113.7 255.255.255.255', comment: 'case 77' }],
      groups: { 'AIRdeck-Blocked': ['airdeck-203.0.113.7'] },
    });
  });

  it('blocks once however often it is asked, and says that nothing changed', async () => {
    await run(blockAddress, { address: '203.0.113.7' });
    const again = await run(blockAddress, { address: '203.0.113.7' });
    expect(again.changed).toBe(false);
    expect(firewall().groups).toEqual({ 'AIRdeck-Blocked': ['airdeck-203.0.113.7'] });
    expect(firewall().addresses).toHaveLength(1);
  });

  it('completes a block that was cut off between object and group', async () => {
    fixture.sandbox.disturb({ vendor: 'fortigate', kind: 'slow', delay_ms: 0 });
    fixture.sandbox.disturb({ vendor: 'fortigate', kind: 'unavailable' });
    expect(await failureOf(run(blockAddress, { address: '203.0.113.9' }))).toMatchObject({
      code: 'VENDOR_UNAVAILABLE',
    });
    expect(firewall().groups).toEqual({ 'AIRdeck-Blocked': [] });
    expect((await run(blockAddress, { address: '203.0.113.9' })).changed).toBe(true);
    expect(firewall().groups).toEqual({ 'AIRdeck-Blocked': ['airdeck-203.0.113.9'] });
  });

  it('unblocks what it blocked, and unblocking twice is harmless', async () => {
    await run(blockAddress, { address: '203.0.113.7' });
    expect((await run(unblockAddress, { address: '203.0.113.7' })).changed).toBe(true);
    expect(firewall()).toEqual({ addresses: [], groups: { 'AIRdeck-Blocked': [] } });
    expect((await run(unblockAddress, { address: '203.0.113.7' })).changed).toBe(false);
  });

  it('unblocks an address that another group uses too, and leaves its object to that group', async () => {
    await run(blockAddress, { address: '203.0.113.7' });
    const made = await fetch(`${fixture.sandbox.url}/fortigate/api/v2/cmdb/firewall/addrgrp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${sandboxKeys.fortigate}` },
      body: JSON.stringify({ name: 'watched', member: [{ name: 'airdeck-203.0.113.7' }] }),
    });
    expect(made.status).toBe(200);
    expect((await run(unblockAddress, { address: '203.0.113.7' })).changed).toBe(true);
    expect(firewall()).toMatchObject({
      addresses: [{ name: 'airdeck-203.0.113.7' }],
      groups: { 'AIRdeck-Blocked': [], watched: ['airdeck-203.0.113.7'] },
    });
    expect((await run(unblockAddress, { address: '203.0.113.7' })).changed).toBe(false);
  });

  it('names the group that does not exist instead of claiming success', async () => {
    expect(await failureOf(run(blockAddress, { address: '203.0.113.7', group: 'absent' }))).toMatchObject({
      code: 'VENDOR_NOT_FOUND',
    });
    expect(await failureOf(run(blockAddress, { address: '203.0.113.7' }, { group: 'absent' }))).toMatchObject({
      code: 'VENDOR_NOT_FOUND',
    });
  });

  it('does not take a group that does not exist for an address that is not blocked', async () => {
    await run(blockAddress, { address: '203.0.113.7' });
    expect(await failureOf(run(unblockAddress, { address: '203.0.113.7', group: 'absent' }))).toEqual({
      code: 'VENDOR_NOT_FOUND',
      message: 'The firewall has no address group "absent".',
    });
    expect(firewall().groups).toEqual({ 'AIRdeck-Blocked': ['airdeck-203.0.113.7'] });
  });

  it('takes what FortiOS does not have for unblocked, with its number and without', async () => {
    const absent = { http_method: 'DELETE', status: 'error', http_status: 404, vdom: 'root', path: 'firewall' };
    const unblocked = (text: string) =>
      unblockAddress.run(
        actionContext(
          {
            // The group is there; it is the address that is not.
            request: async ({ method }) =>
              method === 'GET'
                ? { status: 200, headers: {}, text: '{"status":"success","results":[]}', retryAfterS: undefined }
                : { status: 404, headers: {}, text, retryAfterS: undefined },
          },
          { config: configured(), input: { address: '203.0.113.7' } },
        ),
      );
    expect(await unblocked(JSON.stringify(absent))).toMatchObject({ changed: false });
    expect(await unblocked(JSON.stringify({ ...absent, error: -3 }))).toMatchObject({ changed: false });
    for (const elsewhere of ['<h1>404 Not Found</h1>', '{"status":"error","message":"no route"}', '{}']) {
      expect(await failureOf(unblocked(elsewhere))).toMatchObject({ code: 'VENDOR_NOT_FOUND' });
    }
  });

  it.each(['2001:db8::1', 'host.example', '203.0.113.7/24', '203.0.113.7 0.0.0.0', '', null])(
    'sends nothing for %s, which would not block one address',
    async (address) => {
      expect(await failureOf(run(blockAddress, { address }))).toMatchObject({ code: 'VENDOR_REJECTED' });
      expect(fixture.sandbox.state().calls).toEqual([]);
    },
  );

  it('cannot be led to another object by a group name', async () => {
    expect(fortiPath('a', '../b/c?d#e', 'ü')).toBe('a/..%2Fb%2Fc%3Fd%23e/%C3%BC');
    for (const group of ['..', '.']) {
      expect(await failureOf(run(blockAddress, { address: '203.0.113.7', group }))).toMatchObject({
        code: 'VENDOR_REJECTED',
      });
    }
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
  ])('turns %s into %s and has changed nothing', async (kind, code) => {
    fixture.sandbox.disturb({ vendor: 'fortigate', kind });
    expect(await failureOf(run(blockAddress, { address: '203.0.113.7' }))).toMatchObject({ code });
    expect(firewall().addresses).toEqual([]);
  });

  it('refuses a wrong token without saying it', async () => {
    const failure = await failureOf(run(blockAddress, { address: '203.0.113.7' }, { api_token: 'wrong-token' }));
    expect(failure?.code).toBe('VENDOR_CREDENTIALS_REFUSED');
    expect(JSON.stringify(failure)).not.toContain('wrong-token');
  });

  it('sends nothing when the mark before a changing call is refused', async () => {
    const egress = withCallMark(fixture.egress, () => Promise.reject(new Error('lease lost')));
    const context = actionContext(egress, { config: configured(), input: { address: '203.0.113.7' } });
    await expect(blockAddress.run(context)).rejects.toThrow('lease lost');
    expect(fixture.sandbox.state().calls).toEqual([]);
  });

  it('tests a connection without changing anything', async () => {
    const test = await fortigate.testConnection?.(actionContext(fixture.egress, { config: configured() }));
    expect(test).toEqual({
      message: 'Connected to FortiOS v7.4.1.',
      metadata: { version: 'v7.4.1', serial: 'FGVMSANDBOX00001' },
    });
    expect(fixture.sandbox.state().calls.map((call) => call.method)).toEqual(['GET']);
  });

  it('lists what is blocked, and which of it was blocked here', async () => {
    await run(blockAddress, { address: '203.0.113.7' });
    expect(await run(listBlocked, {})).toEqual({
      group: 'AIRdeck-Blocked',
      members: [{ object: 'airdeck-203.0.113.7', address: '203.0.113.7' }],
      is_cut: false,
    });
    expect(addressOf('airdeck-web-server')).toBeNull();
    expect(addressOf('203.0.113.7')).toBeNull();
    expect(await failureOf(run(listBlocked, { group: 'absent' }))).toMatchObject({ code: 'VENDOR_NOT_FOUND' });
  });

  it('lists policies over several pages, in their order', async () => {
    const { policies, is_cut } = await run(listPolicies, {});
    expect(policies).toHaveLength(120);
    expect(is_cut).toBe(false);
    expect((policies as JsonObject[])[0]).toEqual({
      id: 1,
      name: 'deny-blocked',
      action: 'deny',
      status: 'enable',
      sources: ['AIRdeck-Blocked'],
      destinations: ['all'],
      services: ['ALL'],
    });
    expect(await run(listPolicies, { limit: 5 })).toMatchObject({ is_cut: true });
  });

  it('reads the system status', async () => {
    expect(await run(getSystemStatus, {})).toEqual({
      hostname: 'sandbox-fw',
      model: 'FGVM64',
      model_name: 'FortiGate',
      serial: 'FGVMSANDBOX00001',
      version: 'v7.4.1',
      build: 2463,
    });
  });

  it('does not take a failure inside HTTP 200 for an empty list', async () => {
    for (const action of [listBlocked, listPolicies, getSystemStatus]) {
      fixture.sandbox.disturb({ vendor: 'fortigate', kind: 'error_in_200' });
      expect(await failureOf(run(action, {}))).toMatchObject({ code: 'VENDOR_REJECTED' });
    }
  });
});

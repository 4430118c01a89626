import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { reputationOf } from '../reputation.ts';
import type { Sandbox } from './sandbox.ts';
import { sandboxVendors, startSandbox } from './sandbox.ts';

const keys = { abuseipdb: 'abuse-key', fortigate: 'forti-token' };

describe('the sandbox', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await startSandbox({ port: 0, keys, now: () => new Date('2026-11-20T12:00:00Z') });
  });
  afterAll(() => sandbox.close());
  beforeEach(() => sandbox.reset());

  async function call(path: string, init: { method?: string; body?: unknown; headers?: Record<string, string> } = {}) {
    const response = await fetch(`${sandbox.url}${path}`, {
      method: init.method ?? 'GET',
      headers: { ...(init.body === undefined ? {} : { 'content-type': 'application/json' }), ...init.headers },
      ...(init.body === undefined ? {} : { body: JSON.stringify(init.body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: () => JSON.parse(text) as Record<string, unknown>,
    };
  }
  const forti = (path: string, init: { method?: string; body?: unknown } = {}) =>
    call(`/fortigate${path}`, { ...init, headers: { authorization: `Bearer ${keys.fortigate}` } });

  it('answers AbuseIPDB lookups in the published shape', async () => {
    const answer = await call('/abuseipdb/api/v2/check?ipAddress=203.0.113.7&maxAgeInDays=90', {
      headers: { key: keys.abuseipdb },
    });
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.json().data as object).sort()).toEqual([
      'abuseConfidenceScore',
      'countryCode',
      'domain',
      'hostnames',
      'ipAddress',
      'ipVersion',
      'isPublic',
      'isTor',
      'isWhitelisted',
      'isp',
      'lastReportedAt',
      'numDistinctUsers',
      'totalReports',
      'usageType',
    ]);
  });

  it('answers AbuseIPDB mistakes as JSON:API errors', async () => {
    const wrong = await call('/abuseipdb/api/v2/check?ipAddress=nonsense', { headers: { key: keys.abuseipdb } });
    expect(wrong.status).toBe(422);
    expect(wrong.json()).toMatchObject({ errors: [{ status: 422, source: { parameter: 'ipAddress' } }] });
    expect((await call('/abuseipdb/api/v2/check?ipAddress=203.0.113.7')).status).toBe(401);
  });

  it('scores attackers high, the company low, and private addresses not at all', () => {
    for (let last = 1; last < 255; last += 1) {
      expect(reputationOf(`203.0.113.${last}`).score).toBeGreaterThanOrEqual(80);
      expect(reputationOf(`198.51.100.${last}`).score).toBeLessThanOrEqual(10);
    }
    expect(reputationOf('10.1.2.3')).toMatchObject({ isPublic: false, score: 0 });
    expect(reputationOf('203.0.113.7')).toEqual(reputationOf('203.0.113.7'));
  });

  it('keeps the firewall consistent, with the error numbers of FortiOS', async () => {
    const address = { name: 'x', type: 'ipmask', subnet: '203.0.113.7 255.255.255.255' };
    const member = '/api/v2/cmdb/firewall/addrgrp/AIRdeck-Blocked/member';
    expect((await forti(member, { method: 'POST', body: { name: 'x' } })).json()).toMatchObject({
      status: 'error',
      error: -3,
    });
    expect(
      (await forti('/api/v2/cmdb/firewall/address?vdom=root', { method: 'POST', body: address })).json(),
    ).toMatchObject({
      http_method: 'POST',
      status: 'success',
      http_status: 200,
      mkey: 'x',
      vdom: 'root',
      path: 'firewall',
      name: 'address',
      version: 'v7.4.1',
    });
    const twice = await forti('/api/v2/cmdb/firewall/address', { method: 'POST', body: address });
    expect([twice.status, twice.json().error]).toEqual([500, -5]);
    expect(
      (
        await forti('/api/v2/cmdb/firewall/address', { method: 'POST', body: { ...address, name: 'y', subnet: 'any' } })
      ).json().error,
    ).toBe(-651);
    expect((await forti(member, { method: 'POST', body: { name: 'x' } })).status).toBe(200);
    expect((await forti('/api/v2/cmdb/firewall/address/x', { method: 'DELETE' })).json().error).toBe(-23);
    expect((await forti(`${member}/x`, { method: 'DELETE' })).status).toBe(200);
    expect((await forti('/api/v2/cmdb/firewall/address/x', { method: 'DELETE' })).status).toBe(200);
    const absent = await forti('/api/v2/cmdb/firewall/address/x', { method: 'DELETE' });
    expect([absent.status, absent.json()]).toMatchObject([404, { status: 'error', http_status: 404 }]);
    // As the real one: what does not exist has no number.
    expect(absent.json()).not.toHaveProperty('error');
  });

  it('refuses the firewall without its token and answers HTML then, as the real one does', async () => {
    const answer = await call('/fortigate/api/v2/monitor/system/status');
    expect(answer.status).toBe(401);
    expect(answer.headers.get('content-type')).toContain('text/html');
  });

  it('shows what it received, without credentials, and forgets it on reset', async () => {
    await forti('/api/v2/cmdb/firewall/address', {
      method: 'POST',
      body: { name: 'x', subnet: '203.0.113.7/32', comment: 'case 1' },
    });
    const state = await call('/sandbox/state');
    expect(state.json()).toMatchObject({
      calls: [
        {
          at: '2026-11-20T12:00:00.000Z',
          vendor: 'fortigate',
          method: 'POST',
          path: '/api/v2/cmdb/firewall/address',
          body: { name: 'x', subnet: '203.0.113.7/32', comment: 'case 1' },
          status: 200,
        },
      ],
      fortigate: {
        addresses: [{ name: 'x', subnet: '203.0.113.7/32', comment: 'case 1' }],
        groups: { 'AIRdeck-Blocked': [] },
      },
    });
    expect(state.text).not.toContain(keys.fortigate);
    await call('/sandbox/reset', { method: 'POST' });
    expect(sandbox.state()).toMatchObject({
      calls: [],
      fortigate: { addresses: [], groups: { 'AIRdeck-Blocked': [] } },
    });
  });

  it('misbehaves as often as it is told, then works again', async () => {
    expect(
      (await call('/sandbox/disturb', { method: 'POST', body: { vendor: 'fortigate', kind: 'unavailable', times: 2 } }))
        .status,
    ).toBe(200);
    const statuses = [];
    for (let index = 0; index < 3; index += 1) statuses.push((await forti('/api/v2/monitor/system/status')).status);
    expect(statuses).toEqual([503, 503, 200]);
    expect(
      (await call('/sandbox/disturb', { method: 'POST', body: { vendor: 'fortigate', kind: 'nonsense' } })).status,
    ).toBe(400);
  });

  it('hits only the calls whose path was named, so that a token can be had while the API fails', async () => {
    sandbox.disturb({ vendor: 'fortigate', kind: 'unavailable', path: '/api/v2/cmdb' });
    expect((await forti('/api/v2/monitor/system/status')).status).toBe(200);
    expect((await forti('/api/v2/cmdb/firewall/address/x')).status).toBe(503);
  });

  it('records forms without credentials, wherever they stand', async () => {
    const body = new URLSearchParams({ client_secret: 'any', note: `key ${keys.fortigate}`, plain: 'x' });
    const headers = { authorization: `Bearer ${keys.fortigate}` };
    await fetch(`${sandbox.url}/fortigate/api/v2/cmdb/firewall/address?key=${keys.fortigate}`, {
      method: 'POST',
      body,
      headers,
    });
    expect(sandbox.state().calls).toMatchObject([
      {
        path: '/api/v2/cmdb/firewall/address?key=[credential]',
        body: { client_secret: '[credential]', note: 'key [credential]', plain: 'x' },
        status: 500,
      },
    ]);
  });
});

describe('two sandboxes', () => {
  it('share neither memory nor credentials', async () => {
    const [one, two] = await Promise.all([startSandbox({ port: 0 }), startSandbox({ port: 0 })]);
    try {
      for (const vendor of sandboxVendors) {
        expect(one.keys[vendor].length).toBeGreaterThan(20);
        expect(one.keys[vendor]).not.toBe(two.keys[vendor]);
      }
      await fetch(`${one.url}/fortigate/api/v2/cmdb/firewall/address`, {
        method: 'POST',
        headers: { authorization: `Bearer ${one.keys.fortigate}`, 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'x', subnet: '203.0.113.7/32' }),
      });
      expect(one.state().fortigate.addresses).toHaveLength(1);
      expect(two.state()).toMatchObject({ calls: [], fortigate: { addresses: [] } });
      // The state is readable without a credential, so it must not hold one.
      const shown = JSON.stringify([one.state(), two.state()]);
      for (const vendor of sandboxVendors) expect(shown).not.toContain(one.keys[vendor]);
    } finally {
      await Promise.all([one.close(), two.close()]);
    }
  });
});

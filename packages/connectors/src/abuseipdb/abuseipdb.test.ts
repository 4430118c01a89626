import { toVendorFailure } from '@airdeck/connector-kit/vendor-error';
import type { DisturbanceKind } from '@airdeck/simulator/sandbox/disturbances';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { actionContext, failureOf, sandboxKeys, startVendorFixture } from '../sandbox-fixture.ts';
import { abuseipdb } from './abuseipdb.ts';

const [checkIp] = abuseipdb.actions;
if (checkIp === undefined) throw new Error('AbuseIPDB has no action.');

describe('AbuseIPDB against the sandbox', () => {
  let fixture: Awaited<ReturnType<typeof startVendorFixture>>;
  beforeAll(async () => {
    fixture = await startVendorFixture();
  });
  afterAll(() => fixture.close());
  beforeEach(() => fixture.sandbox.reset());

  const configured = (overrides = {}) => ({
    base_url: `${fixture.sandbox.url}/abuseipdb`,
    api_key: sandboxKeys.abuseipdb,
    ...overrides,
  });
  const check = (input: Record<string, unknown>, overrides = {}) =>
    checkIp.run(actionContext(fixture.egress, { config: configured(overrides), input }));

  it('looks an address up and gives flat, typed facts', async () => {
    const output = await check({ ip: '203.0.113.7' });
    expect(output).toMatchObject({ ip: '203.0.113.7', is_public: true, is_tor: false });
    expect(output.score).toBeGreaterThanOrEqual(80);
    expect(output.total_reports).toBeGreaterThan(0);
    expect(Object.keys(output).sort()).toEqual(
      Object.keys(checkIp.output_schema.properties as Record<string, unknown>).sort(),
    );
    expect(fixture.sandbox.state().calls).toMatchObject([
      { vendor: 'abuseipdb', method: 'GET', path: '/api/v2/check?ipAddress=203.0.113.7&maxAgeInDays=90', status: 200 },
    ]);
  });

  it('asks for the period it was given and takes IPv6', async () => {
    const output = await check({ ip: '2001:db8::7', max_age_days: 7 });
    expect(output.ip).toBe('2001:db8::7');
    expect(fixture.sandbox.state().calls[0]?.path).toBe('/api/v2/check?ipAddress=2001%3Adb8%3A%3A7&maxAgeInDays=7');
  });

  it.each(['not an address', '203.0.113.7&verbose', '203.0.113.7/24', 'fe80::1%eth0', 7, undefined])(
    'sends nothing for %s, which is not an address',
    async (ip) => {
      expect(await failureOf(check({ ip }))).toMatchObject({ code: 'VENDOR_REJECTED' });
      expect(fixture.sandbox.state().calls).toEqual([]);
    },
  );

  it('tells a wrong key from a wrong address', async () => {
    expect(await failureOf(check({ ip: '203.0.113.7' }, { api_key: 'wrong' }))).toMatchObject({
      code: 'VENDOR_CREDENTIALS_REFUSED',
      message: expect.stringContaining('API key is either missing'),
    });
    const wrongPath = { base_url: `${fixture.sandbox.url}/nothing-here` };
    expect(await failureOf(check({ ip: '203.0.113.7' }, wrongPath))).toMatchObject({ code: 'VENDOR_NOT_FOUND' });
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
  ])('turns %s into %s', async (kind, code) => {
    fixture.sandbox.disturb({ vendor: 'abuseipdb', kind });
    expect(await failureOf(check({ ip: '203.0.113.7' }))).toMatchObject({ code });
  });

  it('passes on how long the vendor wants us to wait', async () => {
    fixture.sandbox.disturb({ vendor: 'abuseipdb', kind: 'rate_limited' });
    const error: unknown = await check({ ip: '203.0.113.7' }).catch((thrown: unknown) => thrown);
    expect(toVendorFailure(error, (text) => text)).toMatchObject({ retryable: true, retry_after_s: 29241 });
  });

  it('gives up when told to, without waiting for a slow vendor', async () => {
    fixture.sandbox.disturb({ vendor: 'abuseipdb', kind: 'slow', delay_ms: 3000 });
    const signal = AbortSignal.timeout(50);
    const context = actionContext(fixture.egress, { config: configured(), input: { ip: '203.0.113.7' }, signal });
    expect(await failureOf(checkIp.run(context))).toMatchObject({ code: 'ABORTED' });
  });

  it('never puts the key into an error', async () => {
    for (const kind of ['unauthorized', 'html', 'redirect', 'unavailable'] as const) {
      // By its path, so that a call cut off by the test before cannot use it up.
      fixture.sandbox.disturb({ vendor: 'abuseipdb', kind, path: '/api/v2/check?ipAddress=203.0.113.99' });
      const failure = await failureOf(check({ ip: '203.0.113.99' }));
      expect(failure).toBeDefined();
      expect(JSON.stringify(failure)).not.toContain(sandboxKeys.abuseipdb);
    }
  });

  it('is unreadable, not empty, when the answer lacks what is promised', async () => {
    const context = actionContext(
      {
        ...fixture.egress,
        request: async () => ({ status: 200, headers: {}, text: '{"data":{}}', retryAfterS: undefined }),
      },
      { config: configured(), input: { ip: '203.0.113.7' } },
    );
    expect(await failureOf(checkIp.run(context))).toMatchObject({ code: 'VENDOR_ANSWER_UNREADABLE' });
  });

  it('tests a connection with the key alone', async () => {
    const context = actionContext(fixture.egress, { config: configured() });
    expect(await abuseipdb.testConnection?.(context)).toEqual({ message: 'The key works.', metadata: {} });
    const wrong = actionContext(fixture.egress, { config: configured({ api_key: 'wrong' }) });
    expect(await failureOf(abuseipdb.testConnection?.(wrong) ?? Promise.resolve())).toMatchObject({
      code: 'VENDOR_CREDENTIALS_REFUSED',
    });
  });
});

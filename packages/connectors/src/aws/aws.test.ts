import { withCallMark } from '@airdeck/connector-kit/call-mark';
import type { Egress, EgressRequest } from '@airdeck/connector-kit/egress';
import type { JsonObject } from '@airdeck/contracts/fields';
import { AWS_ACCESS_KEY_ID, AWS_EXTERNAL_ID, AWS_ROLE } from '@airdeck/simulator/sandbox/aws-data';
import type { DisturbanceKind } from '@airdeck/simulator/sandbox/disturbances';
import { describe, expect, it } from 'vitest';
import { useConnector, vendorFailure } from '../connector-fixture.ts';
import { sandboxKeys } from '../sandbox-fixture.ts';
import { aws } from './aws.ts';
import { awsEndpoint } from './aws-hosts.ts';

type State = {
  users: { name: string; keys: { id: string; status: string }[]; policies: string[]; has_password: boolean }[];
  archived: string[];
  sessions: number;
};

const KEY = 'AKIAI44QH8DHBEXAMPLE';
const role = { role_arn: AWS_ROLE, external_id: AWS_EXTERNAL_ID };

function useAws() {
  const connector = useConnector(aws, (url) => ({
    region: 'eu-central-1',
    access_key_id: AWS_ACCESS_KEY_ID,
    secret_access_key: sandboxKeys.aws,
    endpoint_url: url,
  }));
  const state = () => connector.state() as State;
  return {
    ...connector,
    state,
    user: (name: string) => state().users.find((one) => one.name === name),
    forms: () => connector.bodies().map((body) => new URLSearchParams(String(body)).get('Action')),
  };
}

describe('AWS against the sandbox', () => {
  const { run, control, calls, state, user, forms, testConnection, url, ...connector } = useAws();

  it('says who the key belongs to, without changing anything', async () => {
    expect(await testConnection()).toEqual({
      message: 'Connected to account 123456789012 as arn:aws:iam::123456789012:user/airdeck.',
      metadata: { account_id: '123456789012', arn: 'arn:aws:iam::123456789012:user/airdeck' },
    });
    expect(forms()).toEqual(['GetCallerIdentity']);
  });

  it('lists findings over several pages, by severity, and stops where it was told to', async () => {
    const at = (minute: number) => new Date(Date.UTC(2026, 10, 1, 0, minute)).toISOString();
    const many = Array.from({ length: 120 }, (_none, index) => ({
      updatedAt: at(index),
      severity: index % 2 === 0 ? 8 : 2,
    }));
    await control('POST', 'findings', many);
    const { findings, is_cut } = await run('list_findings', { limit: 500, min_severity: 7 });
    expect(findings).toHaveLength(60);
    expect(is_cut).toBe(false);
    expect((findings as JsonObject[])[0]).toMatchObject({ severity: 8, user_name: 'ada.abend', updated_at: at(118) });
    expect(await run('list_findings', { limit: 5 })).toMatchObject({ is_cut: true });
    expect((await run('list_findings', { changed_since: at(119) })).findings).toHaveLength(3);
  });

  it('reads and archives a finding, and leaves archived ones out', async () => {
    await control('POST', 'findings', [{ id: 'abc', updatedAt: '2026-11-01T00:00:00Z' }]);
    expect(await run('get_finding', { finding_id: 'abc' })).toMatchObject({
      archived: false,
      raw: { schemaVersion: '2.0' },
    });
    await run('archive_findings', { finding_ids: ['abc', 'abc'] });
    expect(state().archived).toEqual(['abc']);
    const listed = async (input: JsonObject) =>
      ((await run('list_findings', input)).findings as JsonObject[]).map(({ id }) => id);
    expect(await listed({})).not.toContain('abc');
    expect(await listed({ include_archived: true })).toContain('abc');
  });

  it('archives none of several findings when one of them does not exist', async () => {
    await control('POST', 'findings', [{ id: 'abc', updatedAt: '2026-11-01T00:00:00Z' }]);
    expect(await vendorFailure(run('archive_findings', { finding_ids: ['abc', 'absent'] }))).toMatchObject({
      code: 'VENDOR_NOT_FOUND',
    });
    expect(await vendorFailure(run('get_finding', { finding_id: 'absent' }))).toMatchObject({
      code: 'VENDOR_NOT_FOUND',
    });
    expect(state().archived).toEqual([]);
  });

  it('looks events up by an attribute and a time', async () => {
    const { events } = await run('lookup_events', { attribute: 'EventName', value: 'ConsoleLogin', limit: 3 });
    expect(events).toHaveLength(3);
    expect((events as JsonObject[])[0]).toMatchObject({
      name: 'ConsoleLogin',
      user_name: 'ada.abend',
      event: { eventName: 'ConsoleLogin', sourceIPAddress: '203.0.113.7' },
    });
    const from = new Date(Date.now() - 5 * 60_000 - 30_000).toISOString();
    expect((await run('lookup_events', { from })).events).toHaveLength(5);
  });

  it('finds access keys beyond the first page and deactivates one, once', async () => {
    const { keys } = await run('list_access_keys', { user: 'deploy-bot' });
    expect((keys as JsonObject[]).map(({ access_key_id }) => access_key_id)).toEqual([KEY, 'AKIAI55QH8DHBEXAMPLE']);
    const input = { user: 'deploy-bot', access_key_id: 'AKIAI55QH8DHBEXAMPLE' };
    expect(await run('deactivate_access_key', input)).toMatchObject({ status: 'Inactive', changed: true });
    expect(await run('deactivate_access_key', input)).toMatchObject({ status: 'Inactive', changed: false });
    expect(user('deploy-bot')?.keys.map(({ status }) => status)).toEqual(['Active', 'Inactive']);
    expect((await run('activate_access_key', input)).changed).toBe(true);
    expect(forms().filter((action) => action === 'UpdateAccessKey')).toHaveLength(2);
  });

  it('does not touch a key of another user', async () => {
    const input = { user: 'ada.abend', access_key_id: KEY };
    expect(await vendorFailure(run('deactivate_access_key', input))).toMatchObject({ code: 'VENDOR_NOT_FOUND' });
    expect(forms()).not.toContain('UpdateAccessKey');
  });

  it('disables and enables a user by the policy AWS keeps for it', async () => {
    const policy_arn = 'arn:aws:iam::aws:policy/AWSDenyAll';
    expect(await run('disable_user', { user: 'ada.abend' })).toEqual({ user: 'ada.abend', policy_arn });
    await run('disable_user', { user: 'ada.abend' });
    expect(user('ada.abend')?.policies).toEqual([policy_arn]);
    expect((await run('enable_user', { user: 'ada.abend' })).changed).toBe(true);
    expect((await run('enable_user', { user: 'ada.abend' })).changed).toBe(false);
    expect(user('ada.abend')?.policies).toEqual([]);
  });

  it('deletes a console password, and says when there is none', async () => {
    expect(await run('delete_login_profile', { user: 'ada.abend' })).toEqual({ user: 'ada.abend', changed: true });
    expect(await run('delete_login_profile', { user: 'ada.abend' })).toEqual({ user: 'ada.abend', changed: false });
    expect(user('ada.abend')?.has_password).toBe(false);
  });

  it.each(['get_user', 'list_access_keys', 'disable_user', 'enable_user', 'delete_login_profile'])(
    'does not take a missing user for success in %s',
    async (verb) => {
      expect(await vendorFailure(run(verb, { user: 'nobody' }))).toMatchObject({ code: 'VENDOR_NOT_FOUND' });
    },
  );

  it('reads a user', async () => {
    expect(await run('get_user', { user: 'ada.abend' })).toMatchObject({
      arn: 'arn:aws:iam::123456789012:user/ada.abend',
      password_last_used_at: '2026-11-19T09:12:00Z',
      permissions_boundary: null,
    });
  });

  it.each<[string, JsonObject]>([
    ['get_user', { user: 'arn:aws:iam::123456789012:user/x' }],
    ['get_user', { user: 'a&Action=DeleteUser' }],
    ['get_user', { user: '' }],
    ['disable_user', { user: 'x'.repeat(65) }],
    ['deactivate_access_key', { user: 'deploy-bot', access_key_id: 'short' }],
    ['get_finding', { finding_id: '../../detector' }],
    ['archive_findings', { finding_ids: [] }],
    ['archive_findings', { finding_ids: ['a', 7] }],
    ['archive_findings', { finding_ids: Array.from({ length: 51 }, (_none, index) => `f${index}`) }],
    ['lookup_events', { attribute: 'EventName' }],
    ['lookup_events', { attribute: 'Other', value: 'x' }],
    ['lookup_events', { from: 'yesterday' }],
  ])('sends nothing for %s of %j', async (verb, input) => {
    expect(await vendorFailure(run(verb, input))).toMatchObject({ code: 'VENDOR_REJECTED' });
    expect(calls()).toEqual([]);
  });

  it('asks before a call that changes something, and not before one that reads', async () => {
    let marks = 0;
    const egress = withCallMark(connector.egress(), async () => {
      marks += 1;
    });
    await testConnection({}, { egress });
    await run('list_findings', {}, {}, { egress });
    await run('lookup_events', {}, {}, { egress });
    await run('list_access_keys', { user: 'deploy-bot' }, role, { egress });
    expect(marks).toBe(0);
    await run('disable_user', { user: 'deploy-bot' }, {}, { egress });
    expect(marks).toBe(1);
  });
});

describe('the role of an AWS connector', () => {
  const { run, control, state, forms, testConnection } = useAws();

  it('is taken on once for many calls at the same time', async () => {
    await Promise.all(Array.from({ length: 20 }, () => run('get_user', { user: 'ada.abend' }, role)));
    expect(forms().filter((action) => action === 'AssumeRole')).toHaveLength(1);
    expect((await testConnection(role)).metadata.arn).toBe('arn:aws:sts::123456789012:assumed-role/AIRdeck/airdeck');
    expect(state().sessions).toBe(1);
  });

  it('is taken on again when AWS ended the session before its time', async () => {
    await run('get_user', { user: 'ada.abend' }, role);
    await control('POST', 'end-sessions');
    expect(await run('disable_user', { user: 'ada.abend' }, role)).toMatchObject({ user: 'ada.abend' });
    await control('POST', 'end-sessions');
    expect((await run('list_findings', {}, role)).findings).toHaveLength(2);
  });

  it('is refused without the external id it demands', async () => {
    expect(await vendorFailure(testConnection({ ...role, external_id: 'another' }))).toMatchObject({
      code: 'VENDOR_PERMISSION_MISSING',
    });
  });
});

describe('AWS that misbehaves', () => {
  const { run, disturb, testConnection, state, forms, calls, egress } = useAws();

  const kinds: readonly (readonly [DisturbanceKind, string])[] = [
    ['unauthorized', 'VENDOR_CREDENTIALS_REFUSED'],
    ['forbidden', 'VENDOR_PERMISSION_MISSING'],
    ['rate_limited', 'VENDOR_RATE_LIMITED'],
    ['unavailable', 'VENDOR_UNAVAILABLE'],
    ['error_in_200', 'VENDOR_UNAVAILABLE'],
    ['html', 'VENDOR_ANSWER_UNREADABLE'],
    ['cut_json', 'VENDOR_ANSWER_UNREADABLE'],
    ['redirect', 'REDIRECT_REFUSED'],
  ];
  const services: readonly (readonly [string, JsonObject])[] = [
    ['list_findings', {}],
    ['lookup_events', {}],
    ['disable_user', { user: 'ada.abend' }],
  ];
  const cases = kinds.flatMap(([kind, code]) => services.map(([verb, input]) => [kind, verb, code, input] as const));

  it.each(cases)('turns %s at %s into %s, without the secret and without a change', async (kind, verb, code, input) => {
    await run('get_user', { user: 'ada.abend' });
    const before = JSON.stringify(state());
    disturb(kind);
    const failure = await vendorFailure(run(verb, input));
    expect(failure?.code).toBe(code);
    expect(JSON.stringify(failure)).not.toContain('key-for-tests');
    expect(JSON.stringify(state())).toBe(before);
  });

  it('refuses a wrong secret without saying it, at every protocol', async () => {
    const wrong = { secret_access_key: 'wrong-secret-of-a-tenant' };
    for (const work of [testConnection(wrong), run('list_findings', {}, wrong), run('lookup_events', {}, wrong)]) {
      const failure = await vendorFailure(work);
      expect(failure).toMatchObject({ code: 'VENDOR_CREDENTIALS_REFUSED', retryable: false });
      expect(JSON.stringify(failure)).not.toContain('wrong-secret');
    }
  });

  it('does not repeat a refused call that has no session to renew', async () => {
    disturb('unauthorized');
    await vendorFailure(run('get_user', { user: 'ada.abend' }));
    expect(forms()).toHaveLength(1);
  });

  it('refuses a request that was changed on its way: body, target and address are signed', async () => {
    const changes: readonly ((request: EgressRequest) => EgressRequest)[] = [
      (request) => ({ ...request, body: String(request.body).replace('ada.abend', 'deploy-bot') }),
      (request) => ({
        ...request,
        headers: { ...request.headers, 'x-amz-target': 'CloudTrail_20131101.LookupEvents' },
      }),
      (request) => ({ ...request, url: `${request.url}?Action=DeleteUser` }),
    ];
    for (const change of changes) {
      const changed: Egress = { request: (request) => egress().request(change(request)) };
      const failure = await vendorFailure(run('disable_user', { user: 'ada.abend' }, {}, { egress: changed }));
      expect(failure?.code).toBe('VENDOR_CREDENTIALS_REFUSED');
    }
    expect(state().users.flatMap(({ policies }) => policies)).toEqual([]);
  });

  it('stops when told to, without waiting for a slow answer', async () => {
    disturb('slow', { delay_ms: 3000 });
    expect((await vendorFailure(testConnection({}, { signal: AbortSignal.timeout(50) })))?.code).toBe('ABORTED');
    disturb('slow', { delay_ms: 3000 });
    const waiting = testConnection(role, { signal: AbortSignal.timeout(50) });
    expect((await vendorFailure(waiting))?.code).toBe('ABORTED');
  });

  const answering = (text: string): Egress => ({
    request: async () => ({ status: 200, headers: {}, text, retryAfterS: undefined }),
  });
  const getUser = (text: string) => vendorFailure(run('get_user', { user: 'x' }, {}, { egress: answering(text) }));

  it.each([
    '<!DOCTYPE r [<!ENTITY e SYSTEM "file:///etc/passwd">]><GetUserResponse><GetUserResult>&e;</GetUserResult></GetUserResponse>',
    '<ListUsersResponse/>',
    '<GetUserResponse><GetUserResult/></GetUserResponse>',
    '<GetUserResponse>',
    '{"User":{}}',
    '',
  ])('does not read %j as a user', async (text) => {
    expect((await getUser(text))?.code).toBe('VENDOR_ANSWER_UNREADABLE');
  });

  it('does not walk in a circle of markers', async () => {
    const text =
      '<ListAccessKeysResponse><ListAccessKeysResult><AccessKeyMetadata/><IsTruncated>true</IsTruncated><Marker>m</Marker></ListAccessKeysResult></ListAccessKeysResponse>';
    const listed = run('list_access_keys', { user: 'x' }, {}, { egress: answering(text) });
    expect((await vendorFailure(listed))?.code).toBe('VENDOR_ANSWER_UNREADABLE');
  });

  it('is called nowhere for a region that would lead elsewhere', async () => {
    for (const region of ['x.example.net/', 'eu-central-1.example.net', '', 'EU-CENTRAL-1', 'eu-central-1\n']) {
      expect((await vendorFailure(testConnection({ region })))?.code).toBe('CONNECTOR_CONFIG_INVALID');
    }
    expect(calls()).toEqual([]);
  });

  it('is called at the endpoints of its partition', () => {
    const hosts = ['eu-central-1', 'cn-north-1', 'us-gov-east-1'].map((region) =>
      (['guardduty', 'iam'] as const).map((service) => awsEndpoint({ region }, service)),
    );
    expect(hosts).toEqual([
      [
        { baseUrl: 'https://guardduty.eu-central-1.amazonaws.com', region: 'eu-central-1' },
        { baseUrl: 'https://iam.amazonaws.com', region: 'us-east-1' },
      ],
      [
        { baseUrl: 'https://guardduty.cn-north-1.amazonaws.com.cn', region: 'cn-north-1' },
        { baseUrl: 'https://iam.cn-north-1.amazonaws.com.cn', region: 'cn-north-1' },
      ],
      [
        { baseUrl: 'https://guardduty.us-gov-east-1.amazonaws.com', region: 'us-gov-east-1' },
        { baseUrl: 'https://iam.us-gov.amazonaws.com', region: 'us-gov-west-1' },
      ],
    ]);
  });
});

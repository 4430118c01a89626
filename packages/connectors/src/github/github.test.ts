import type { JsonObject } from '@airdeck/contracts/fields';
import { describe, expect, it } from 'vitest';
import { useConnector, vendorFailure } from '../connector-fixture.ts';
import { sandboxKeys } from '../sandbox-fixture.ts';
import { github } from './github.ts';

const config = (url: string) => ({ base_url: `${url}/`, organization: 'example-org', token: sandboxKeys.github });

describe('GitHub against the sandbox', () => {
  const connector = useConnector(github, config);
  const { run, calls, state, control } = connector;

  it('says whom it is connected as, and with which plan', async () => {
    expect(await connector.testConnection()).toMatchObject({
      message: 'Connected to example-org as airdeck-bot, plan enterprise.',
      metadata: { account: 'airdeck-bot', plan: 'enterprise', rate_limit: '5000' },
    });
  });

  it('names the organization that does not exist instead of an account', async () => {
    expect(await vendorFailure(connector.testConnection({ organization: 'absent' }))).toMatchObject({
      code: 'VENDOR_NOT_FOUND',
    });
  });

  it('gives the profile of an account', async () => {
    expect(await run('get_user', { username: 'octocat' })).toMatchObject({ login: 'octocat', type: 'User' });
  });

  it('blocks and unblocks, and a second call succeeds without a change', async () => {
    const outcomes = [];
    for (const verb of ['block_user', 'block_user', 'unblock_user', 'unblock_user']) {
      outcomes.push((await run(verb, { username: 'mallory-example' })).changed);
    }
    expect(outcomes).toEqual([true, false, true, false]);
    expect(calls().filter((call) => call.startsWith('PUT') || call.startsWith('DELETE'))).toHaveLength(2);
    expect(state().blocked).toEqual([]);
  });

  it('removes a member once, and does not claim so of somebody it may not see', async () => {
    expect(await run('remove_org_member', { username: 'bo-birkfeld' })).toEqual({
      username: 'bo-birkfeld',
      organization: 'example-org',
      changed: true,
    });
    expect((await run('remove_org_member', { username: 'bo-birkfeld' })).changed).toBe(false);
    expect(state().members).not.toContain('bo-birkfeld');
    connector.disturb('forbidden', { path: '/user/memberships' });
    expect(await vendorFailure(run('remove_org_member', { username: 'bo-birkfeld' }))).toMatchObject({
      code: 'VENDOR_NOT_FOUND',
      message: expect.stringContaining('may not see'),
    });
  });

  it('opens an issue and comments on it', async () => {
    const issue = await run('create_issue', { repository: 'app', title: 'Leaked key', body: 'See **here**' });
    expect(issue).toMatchObject({ number: 1, state: 'open' });
    await run('comment_issue', { repository: 'example-org/app', number: 1, body: 'Rotated.' });
    expect(state().issues).toMatchObject([{ title: 'Leaked key', comments: ['Rotated.'] }]);
    expect(await vendorFailure(run('create_issue', { repository: 'absent', title: 'x' }))).toMatchObject({
      code: 'VENDOR_NOT_FOUND',
    });
  });

  it('lists alerts in pages up to the limit, and never the literal of a secret', async () => {
    const alerts = Array.from({ length: 130 }, (_, index) => ({
      number: 100 + index,
      state: 'open',
      secret: 'planted-literal',
      secret_type: 'x',
      created_at: '2026-11-01T00:00:00Z',
      updated_at: '2026-11-01T00:00:00Z',
      repository: { full_name: 'example-org/app' },
    }));
    await control('POST', 'alerts/secret-scanning', alerts);
    const all = await run('list_secret_scanning_alerts', { limit: 1000 });
    expect(all.alerts).toHaveLength(131);
    expect(all.has_more).toBe(false);
    expect(JSON.stringify(all)).not.toMatch(/planted-literal|must-not-travel/);
    const some = await run('list_secret_scanning_alerts', { limit: 120, state: 'open' });
    expect([(some.alerts as unknown[]).length, some.has_more]).toEqual([120, true]);
    expect((await run('list_dependabot_alerts', {})).alerts).toMatchObject([{ severity: 'critical' }]);
    expect((await run('list_code_scanning_alerts', {})).alerts).toMatchObject([{ severity: 'high' }]);
  });

  it('searches the audit log', async () => {
    const found = await run('list_org_audit_log', { phrase: 'actor:ada-abend', limit: 5 });
    expect(found.entries).toHaveLength(5);
    expect((found.entries as JsonObject[]).every(({ actor }) => actor === 'ada-abend')).toBe(true);
    expect(found.has_more).toBe(true);
    expect(await vendorFailure(run('list_org_audit_log', { phrase: '"torn' }))).toMatchObject({
      code: 'VENDOR_REJECTED',
    });
  });

  it('tells the secondary limit from a missing right, and waits a minute where none is named', async () => {
    await control('POST', 'secondary-limit', { times: 1 });
    expect(await vendorFailure(run('get_user', { username: 'octocat' }))).toMatchObject({
      code: 'VENDOR_RATE_LIMITED',
      retryable: true,
      retry_after_s: 60,
    });
    connector.disturb('forbidden');
    const refused = await vendorFailure(run('get_user', { username: 'octocat' }));
    expect(refused).toMatchObject({ code: 'VENDOR_PERMISSION_MISSING' });
    // The end of a window that is not used up is nothing to wait for.
    expect(refused).not.toHaveProperty('retry_after_s');
  });

  it('waits for the end of the window when that is used up, which is a 403 too', async () => {
    connector.disturb('rate_limited');
    const limited = await vendorFailure(run('get_user', { username: 'octocat' }));
    expect(limited).toMatchObject({ code: 'VENDOR_RATE_LIMITED', retryable: true });
    expect(limited?.retry_after_s).toBeGreaterThan(500);
  });

  it.each<[string, JsonObject]>([
    ['get_user', { username: '../orgs/example-org' }],
    ['get_user', { username: 'a\r\nx: y' }],
    ['block_user', { username: 'a/b' }],
    ['remove_org_member', { username: '..' }],
    ['remove_org_member', { username: 'x'.repeat(5000) }],
    ['create_issue', { repository: 'a/b/c', title: 'x' }],
    ['create_issue', { repository: '../../user', title: 'x' }],
    ['comment_issue', { repository: 'app', number: 1.5, body: 'x' }],
    ['comment_issue', { repository: 'app', number: 1, body: '\ud800' }],
  ])('sends nothing for %s of %j', async (verb, input) => {
    expect(await vendorFailure(run(verb, input))).toMatchObject({ code: 'VENDOR_REJECTED' });
    expect(calls()).toEqual([]);
  });

  it('keeps a repository named ".." inside its owner', async () => {
    expect(await vendorFailure(run('create_issue', { repository: '..', title: 'x' }))).toMatchObject({
      code: 'VENDOR_REJECTED',
    });
    expect(calls()).toEqual([]);
  });
});

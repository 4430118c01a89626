import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { JsonObject } from '@airdeck/contracts/fields';
import { createCompany } from '@airdeck/simulator/company';
import { describe, expect, it } from 'vitest';
import { useConnector, vendorFailure } from '../connector-fixture.ts';
import { sandboxKeys } from '../sandbox-fixture.ts';
import { slack } from './slack.ts';

const shared = resolve(process.env.AIRDECK_SHARED_DATA ?? '../shared/data');
const specification = join(shared, 'specs', 'slack_web.json');
const email = createCompany('sandbox').employees[1]?.email ?? '';

describe('Slack against the sandbox', () => {
  const connector = useConnector(slack, (url) => ({ base_url: url, bot_token: sandboxKeys.slack }));
  const { run, calls, state } = connector;

  it('says which workspace it is connected to', async () => {
    expect(await connector.testConnection()).toMatchObject({
      message: 'Connected to the workspace Example Workspace as airdeck.',
      metadata: { team_id: 'T00000001', scopes: 'chat:write,channels:read,users:read.email' },
    });
  });

  it('posts, replies and updates', async () => {
    const posted = await run('post_message', { channel: '#alerts', text: 'Case 77' });
    await run('post_message', { channel: posted.channel, text: 'Reply', thread_ts: posted.ts });
    await run('update_message', { channel: posted.channel, ts: posted.ts, text: 'Case 77: closed' });
    expect(state().messages).toMatchObject([{ text: 'Case 77: closed' }, { text: 'Reply', thread_ts: posted.ts }]);
  });

  it('lets no finding mention a channel, hide a link or make Slack visit one', async () => {
    await run('post_message', { channel: '#alerts', text: 'Look: <!channel> & <https://evil.example|here>' });
    expect(connector.bodies()[0]).toMatchObject({
      text: 'Look: &lt;!channel&gt; &amp; &lt;https://evil.example|here&gt;',
      mrkdwn: false,
      unfurl_links: false,
      unfurl_media: false,
    });
    await run('post_message', { channel: '#alerts', text: '<!here> *really*', format: 'mrkdwn' });
    expect(connector.bodies()[1]).toMatchObject({ text: '<!here> *really*', mrkdwn: true });
  });

  it('updates with what Slack takes for an update: no "mrkdwn", and 4,000 bytes of it as it is sent', async () => {
    const posted = await run('post_message', { channel: '#alerts', text: 'Case 77' });
    const message = { channel: posted.channel, ts: posted.ts };
    const update = (text: string, format = 'plain') => run('update_message', { ...message, text, format });
    await update('<!here> & *x*');
    await update('<!here> *x*', 'mrkdwn');
    expect(connector.bodies().slice(1)).toEqual([
      { ...message, text: '&lt;!here&gt; &amp; *x*' },
      { ...message, text: '<!here> *x*' },
    ]);
    await update('x'.repeat(4000));
    await update('é'.repeat(2000));
    await update('<'.repeat(1000));
    const before = calls().length;
    for (const text of ['x'.repeat(4001), 'é'.repeat(2001), '<'.repeat(1001)]) {
      expect(await vendorFailure(update(text))).toMatchObject({ code: 'VENDOR_REJECTED' });
    }
    expect(calls()).toHaveLength(before);
    // The stand-in would have refused it as Slack does.
    const answer = await fetch(`${connector.url()}/api/chat.update`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${sandboxKeys.slack}` },
      body: JSON.stringify({ ...message, text: 'é'.repeat(2001) }),
    });
    expect(await answer.json()).toEqual({ ok: false, error: 'msg_too_long' });
  });

  it('finds a member by email, or says that there is none', async () => {
    expect(await run('find_user_by_email', { email })).toMatchObject({ found: true, user_id: 'U00000002' });
    expect(await run('find_user_by_email', { email: 'nobody@example.com' })).toMatchObject({
      found: false,
      user_id: null,
    });
    connector.disturb('unauthorized');
    expect(await vendorFailure(run('find_user_by_email', { email }))).toMatchObject({
      code: 'VENDOR_CREDENTIALS_REFUSED',
    });
  });

  it('creates a channel, invites to it, and says who was there already', async () => {
    const { channel_id: channel } = await run('create_channel', { name: 'case-77' });
    const users = ['U00000001', 'U00000002'];
    expect(await run('invite_to_channel', { channel, users: ['U00000001'] })).toEqual({
      invited: ['U00000001'],
      already_there: [],
    });
    expect(await run('invite_to_channel', { channel, users })).toEqual({
      invited: ['U00000002'],
      already_there: ['U00000001'],
    });
    expect(await vendorFailure(run('create_channel', { name: 'case-77' }))).toMatchObject({ code: 'VENDOR_CONFLICT' });
  });

  it('opens the same conversation twice', async () => {
    const first = await run('open_conversation', { users: ['U00000001'] });
    expect(await run('open_conversation', { users: ['U00000001'] })).toEqual(first);
    await run('post_message', { channel: first.channel_id, text: 'Hello' });
    expect(state().messages).toMatchObject([{ channel: first.channel_id }]);
  });

  it('lists channels over several pages', async () => {
    for (let index = 0; index < 6; index += 1) await run('create_channel', { name: `extra-${index}` });
    const few = await run('list_channels', { limit: 4 });
    expect([(few.channels as unknown[]).length, few.has_more]).toEqual([4, true]);
    const request: typeof fixtureRequest = (one) =>
      fixtureRequest({ ...one, url: one.url.replace('limit=200', 'limit=4') });
    const fixtureRequest = connector.egress().request;
    const all = await run('list_channels', { limit: 200 }, {}, { egress: { request } });
    expect(new Set((all.channels as JsonObject[]).map(({ id }) => id)).size).toBe(11);
    expect(calls().filter((call) => call.includes('cursor='))).toHaveLength(2);
  });

  it('waits as long as Slack says, for the limit with its own status', async () => {
    connector.disturb('rate_limited');
    expect(await vendorFailure(run('post_message', { channel: '#alerts', text: 'x' }))).toMatchObject({
      code: 'VENDOR_RATE_LIMITED',
      retry_after_s: 30,
    });
  });

  it.each([
    ['internal_error', true],
    ['fatal_error', true],
    ['service_unavailable', false],
    ['request_timeout', false],
  ])('says whether anything may have been done after %s: %s', async (error, outcome_unknown) => {
    const answer = { status: 200, headers: {}, text: JSON.stringify({ ok: false, error }), retryAfterS: undefined };
    const egress = { request: async () => answer };
    const failure = await vendorFailure(run('post_message', { channel: '#alerts', text: 'x' }, {}, { egress }));
    expect(failure).toMatchObject({ code: 'VENDOR_UNAVAILABLE', retryable: true, outcome_unknown });
  });

  it('names the right that is missing', async () => {
    connector.disturb('forbidden');
    expect(await vendorFailure(run('post_message', { channel: '#alerts', text: 'x' }))).toMatchObject({
      message: expect.stringContaining('missing_scope, needs chat:write'),
    });
  });

  it.each<[string, JsonObject]>([
    ['post_message', { channel: '#alerts', text: '' }],
    ['post_message', { channel: '#a b', text: 'x' }],
    ['post_message', { channel: 'C1', text: 'x'.repeat(20_001) }],
    ['post_message', { channel: 'C1', text: 'x', thread_ts: '1&channel=C2' }],
    ['update_message', { channel: 'C1', ts: 'now', text: 'x' }],
    ['find_user_by_email', { email: 'a@b&token=x y' }],
    ['create_channel', { name: 'Not A Name' }],
    ['invite_to_channel', { channel: 'C1', users: ['U00000001,U00000002'] }],
    ['invite_to_channel', { channel: 'C1', users: [] }],
    ['open_conversation', { users: Array.from({ length: 9 }, (_, index) => `U0000000${index}`) }],
  ])('sends nothing for %s of %j', async (verb, input) => {
    expect(await vendorFailure(run(verb, input))).toMatchObject({ code: 'VENDOR_REJECTED' });
    expect(calls()).toEqual([]);
  });

  it.skipIf(!existsSync(specification))('sends fields Slack publishes (needs AIRDECK_SHARED_DATA)', async () => {
    const { paths } = JSON.parse(readFileSync(specification, 'utf8')) as {
      paths: Record<string, { post: { parameters: { name: string }[] } }>;
    };
    const known = new Set(paths['/chat.postMessage']?.post.parameters.map(({ name }) => name));
    await run('post_message', { channel: '#alerts', text: 'x', thread_ts: '1.000001' });
    for (const field of Object.keys(connector.bodies()[0] ?? {})) expect(known).toContain(field);
    expect(known.size).toBeGreaterThan(5);
  });
});

import type { JsonObject } from '@airdeck/contracts/fields';
import { describe, expect, it } from 'vitest';
import { useConnector, vendorFailure } from '../connector-fixture.ts';
import { sandboxKeys } from '../sandbox-fixture.ts';
import { documentOf, textOfDocument } from './document.ts';
import { jira } from './jira.ts';

const config = (url: string) => ({
  base_url: url,
  email: 'analyst@example.com',
  api_token: sandboxKeys.jira,
  project: 'SEC',
});

describe('Jira against the sandbox', () => {
  const connector = useConnector(jira, config);
  const { run, calls, state } = connector;

  it('says as whom it is connected', async () => {
    expect(await connector.testConnection()).toMatchObject({
      message: 'Connected as Sandbox Analyst.',
      metadata: { active: true },
    });
  });

  it('opens an issue with a description of several paragraphs, and reads it back', async () => {
    const description = 'First line\nsecond line\n\nSecond <b>paragraph</b>';
    const created = await run('create_issue', { summary: 'Password\nspray', description, labels: ['airdeck'] });
    expect(created).toMatchObject({ url: `${connector.url()}/browse/${created.key}` });
    expect(await run('get_issue', { issue: created.key })).toMatchObject({
      key: created.key,
      summary: 'Password spray',
      status: 'To Do',
      labels: ['airdeck'],
      reporter: 'Sandbox Analyst',
      description,
    });
  });

  it('passes on which field Jira does not take', async () => {
    expect(await vendorFailure(run('create_issue', { summary: 'x', project: 'ABSENT' }))).toMatchObject({
      code: 'VENDOR_REJECTED',
      message: expect.stringContaining('valid project is required'),
    });
    expect(await vendorFailure(run('create_issue', { summary: 'x' }, { project: '' }))).toMatchObject({
      message: expect.stringContaining('Name the project'),
    });
  });

  it('comments', async () => {
    const { key } = await run('create_issue', { summary: 'x' });
    await run('add_comment', { issue: key, text: 'Blocked.\n\n\nSee log' });
    expect(state().issues).toMatchObject([{ key, comments: 1 }]);
  });

  it('moves an issue by status or step, once', async () => {
    const { key: issue } = await run('create_issue', { summary: 'x' });
    expect(await run('transition_issue', { issue, to: 'in progress' })).toEqual({
      status: 'In Progress',
      changed: true,
    });
    expect(await run('transition_issue', { issue, to: 'In Progress' })).toEqual({
      status: 'In Progress',
      changed: false,
    });
    expect(await run('transition_issue', { issue, to: 'Resolve' })).toEqual({ status: 'Done', changed: true });
    expect(await vendorFailure(run('transition_issue', { issue, to: 'In Progress' }))).toMatchObject({
      code: 'VENDOR_REJECTED',
      message: expect.stringContaining('Possible: To Do.'),
    });
  });

  it('is not moved again when nobody knows how it ended: a step is gone from where it led to', async () => {
    const { key: issue } = await run('create_issue', { summary: 'x' });
    await run('transition_issue', { issue, to: 'Start work' });
    expect(await vendorFailure(run('transition_issue', { issue, to: 'Start work' }))).toMatchObject({
      code: 'VENDOR_REJECTED',
    });
    expect(jira.actions.find(({ action_id }) => action_id === 'jira.transition_issue')?.idempotent).toBe(false);
  });

  it('searches over several pages, by a call that is no change', async () => {
    for (let index = 0; index < 105; index += 1) await run('create_issue', { summary: `n ${index}` });
    const all = await run('search', { jql: 'project = SEC ORDER BY created', limit: 1000 });
    expect(new Set((all.issues as JsonObject[]).map(({ key }) => key)).size).toBe(105);
    expect(all.has_more).toBe(false);
    const few = await run('search', { jql: 'project = SEC', limit: 10 });
    expect([(few.issues as unknown[]).length, few.has_more]).toEqual([10, true]);
    expect(await vendorFailure(run('search', { jql: 'summary ~ "torn' }))).toMatchObject({ code: 'VENDOR_REJECTED' });
  });

  it('ends a search whose pages go in a circle', async () => {
    const text = JSON.stringify({ issues: [{ key: 'SEC-1' }], nextPageToken: 'again' });
    const egress = { request: async () => ({ status: 200, headers: {}, text, retryAfterS: undefined }) };
    expect(await vendorFailure(run('search', { jql: 'x = 1', limit: 1000 }, {}, { egress }))).toMatchObject({
      code: 'VENDOR_ANSWER_UNREADABLE',
    });
  });

  it.each<[string, JsonObject]>([
    ['get_issue', { issue: 'SEC-1/../../myself' }],
    ['get_issue', { issue: '..' }],
    ['add_comment', { issue: 'SEC-1?x=1', text: 'x' }],
    ['add_comment', { issue: 'SEC-1', text: 'x'.repeat(40_000) }],
    ['transition_issue', { issue: 'SEC-1', to: '' }],
    ['create_issue', { summary: 'x', project: 'SEC/../X' }],
    ['create_issue', { summary: '' }],
  ])('sends nothing for %s of %j', async (verb, input) => {
    expect(await vendorFailure(run(verb, input))).toMatchObject({ code: 'VENDOR_REJECTED' });
    expect(calls()).toEqual([]);
  });

  it('does not show the login in a failure, however Jira echoes it', async () => {
    const token = Buffer.from(`analyst@example.com:${sandboxKeys.jira}`).toString('base64');
    const text = JSON.stringify({ errorMessages: [`Bad header Basic ${token}`], errors: {} });
    const egress = { request: async () => ({ status: 400, headers: {}, text, retryAfterS: undefined }) };
    const failure = await vendorFailure(run('get_issue', { issue: 'SEC-1' }, {}, { egress }));
    expect(failure?.code).toBe('VENDOR_REJECTED');
    expect(failure?.message).not.toContain(token);
  });
});

describe('the document format', () => {
  it('has no empty text, and nothing in it is markup', () => {
    expect(documentOf('a\n\n\n*b*\r\nc')).toEqual({
      version: 1,
      type: 'doc',
      content: [
        { type: 'paragraph', content: [{ type: 'text', text: 'a' }] },
        {
          type: 'paragraph',
          content: [{ type: 'text', text: '*b*' }, { type: 'hardBreak' }, { type: 'text', text: 'c' }],
        },
      ],
    });
    expect(JSON.stringify(documentOf(''))).not.toContain('"text":""');
  });

  it('is read back at any depth, within bounds', () => {
    let nested: JsonObject = { type: 'text', text: 'deep' };
    for (let depth = 0; depth < 5000; depth += 1) nested = { type: 'x', content: [nested] };
    expect(
      textOfDocument({ type: 'doc', content: [nested, { type: 'p', content: [{ type: 'text', text: 'end' }] }] }, 100),
    ).toContain('end');
    expect(textOfDocument(null, 100)).toBeNull();
    expect(textOfDocument('old text', 3)).toBe('old');
  });
});

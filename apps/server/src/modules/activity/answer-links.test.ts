import { randomBytes } from 'node:crypto';
import { notificationListSchema } from '@airdeck/contracts/notifications/schema';
import { v7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Actor } from '../../http/test-server.ts';
import { createAnswerLinks } from './answer-links.ts';
import { createRunsFixture, node, type RunsFixture, type RunsWorkspace } from './runs-fixture.ts';

describe('what a link carries', () => {
  const at = new Date('2026-11-21T12:00:00.000Z');
  const keys = new Map([['k1', { id: 'k1', key: randomBytes(32) }]]);
  const ring = (current: string) => ({
    current: async () => keys.get(current) ?? { id: current, key: randomBytes(32) },
    get: async (id: string) => keys.get(id),
  });
  const links = createAnswerLinks({ keys: ring('k1'), now: () => at });
  const whose = { tenant: v7(), prompt: v7(), user: v7() };
  const signed = async (option = 'block', livesMs = 60_000) =>
    (await links.signer())({ ...whose, option, expiresAt: new Date(at.getTime() + livesMs) });

  test('is read by whom it was made for, and tells nobody who that is', async () => {
    const token = await signed('blöck “it”');
    expect(await links.read(token, whose)).toMatchObject({ option: 'blöck “it”' });
    expect(token).toMatch(/^[\w-]+\.[\w-]{43}$/);
    for (const id of Object.values(whose)) expect(Buffer.from(token, 'base64url').toString()).not.toContain(id);
  });

  test.each(['tenant', 'prompt', 'user'] as const)('is nothing for another %s', async (part) => {
    expect(await links.read(await signed(), { ...whose, [part]: v7() })).toBeUndefined();
  });

  test('is nothing once it is old', async () => {
    expect(await links.read(await signed('block', 0), whose)).toBeUndefined();
    expect(await links.read(await signed('block', 1), whose)).toBeDefined();
  });

  test('outlives a change of keys, and not the end of the key', async () => {
    const token = await signed();
    keys.set('k2', { id: 'k2', key: randomBytes(32) });
    const later = createAnswerLinks({ keys: ring('k2'), now: () => at });
    expect(await later.read(token, whose)).toMatchObject({ option: 'block' });
    keys.delete('k1');
    expect(await later.read(token, whose)).toBeUndefined();
    keys.set('k1', { id: 'k1', key: randomBytes(32) });
    expect(await links.read(token, whose)).toBeUndefined();
  });

  test('is nothing with anything changed', async () => {
    const token = await signed();
    const [says = '', mac = ''] = token.split('.');
    const said = JSON.parse(Buffer.from(says, 'base64url').toString()) as unknown[];
    const otherwise = (change: unknown[]) => Buffer.from(JSON.stringify(change)).toString('base64url');
    const forged = [
      `${otherwise([said[0], said[1], 'ignore'])}.${mac}`,
      `${otherwise([said[0], 9_999_999_999_999, said[2]])}.${mac}`,
      `${otherwise(['__proto__', said[1], said[2]])}.${mac}`,
      `${otherwise([])}.${mac}`,
      `${says}.`,
      `${says}.${mac}=`,
      `${says}.${mac.slice(0, -1)}`,
      `${token}.${mac}`,
      `.${mac}`,
      'null.null',
      '',
      '.',
      '💥.💥',
    ];
    for (const one of forged) expect(await links.read(one, whose), one).toBeUndefined();
  });
});

describe('answering from a notice', () => {
  let fixture: RunsFixture;
  let workspace: RunsWorkspace;
  let ana: Actor;

  beforeAll(async () => {
    fixture = await createRunsFixture();
  });
  afterAll(() => fixture?.close());
  beforeEach(async () => {
    fixture.vendor.reset();
    workspace = await fixture.workspace();
    ana = workspace.analyst;
  });

  async function asks(more: object = {}): Promise<string> {
    const id = await workspace.add([
      node.ask('ask', more),
      node.destroy('wipe', '/wipe', { depends_on: ['ask'], when: "actions.ask.output.option == 'delete'" }),
    ]);
    const runId = await workspace.start(id);
    await workspace.reaches(runId, 'waiting');
    return runId;
  }

  /** The person's notice of the run's question, once it is there. */
  const noticeOf = (runId: string, who: Actor) =>
    vi.waitFor(
      async () => {
        const { body } = await fixture.call(who, 'GET', `${workspace.path}/notifications`);
        const { notifications } = notificationListSchema.parse(body);
        const notice = notifications.find(({ link }) => link?.includes(runId));
        if (!notice) throw new Error('Nothing was told yet.');
        return notice;
      },
      { timeout: 30_000, interval: 100 },
    );

  async function tokensOf(runId: string, who: Actor): Promise<Record<string, string>> {
    const { answers = [] } = await noticeOf(runId, who);
    return Object.fromEntries(
      answers.map(({ label, link }) => [label, new URL(link, 'https://air.example').searchParams.get('answer') ?? '']),
    );
  }

  const refusals = async () =>
    (await workspace.audit())
      .filter(({ outcome }) => outcome === 'refused')
      .map(({ action, code, actor_name }) => [action, code, actor_name]);

  test('leads to the run with its question, one link for each answer, which is chosen and then given', async () => {
    const runId = await asks();
    const promptId = (await workspace.promptPath(runId)).split('/').at(-1);
    const notice = await noticeOf(runId, ana);
    expect(notice).toMatchObject({ kind: 'prompt_waiting', link: `/activity/playbooks/${runId}?prompt=${promptId}` });
    expect(notice.answers?.map(({ label }) => label)).toEqual(['Delete', 'Archive', 'Keep']);
    const { Delete: token = '' } = await tokensOf(runId, ana);
    expect(await workspace.prompt(runId, ana, `?answer=${token}`)).toMatchObject({
      link_option: 'delete',
      answered: null,
    });
    expect((await workspace.prompt(runId, ana)).link_option).toBeUndefined();
    expect(await workspace.answer(runId, ana, 'delete', { token })).toMatchObject({ status: 200 });
    await workspace.reaches(runId, 'success');
    expect(fixture.vendor.calls).toEqual(['DELETE /wipe']);
  });

  test('counts once, also of fifty uses at once', async () => {
    await workspace.setTwoPeople(true);
    const runId = await asks();
    const { Delete: token = '' } = await tokensOf(runId, ana);
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => workspace.answer(runId, ana, 'delete', { token })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const others = answers.filter(({ status }) => status !== 200);
    expect(others.every(({ body }) => body.code === 'PROMPT_LINK_INVALID')).toBe(true);
    expect((await workspace.prompt(runId, ana, `?answer=${token}`)).link_option).toBeNull();
    expect(await refusals()).toEqual(Array(49).fill(['prompt.answer', 'PROMPT_LINK_INVALID', ana.email]));
  }, 60_000);

  test('is refused with the link of somebody else, of another question and for another option, and audited', async () => {
    const bo = await workspace.person('Analyst');
    const [runId, other] = [await asks(), await asks()];
    const { Delete: ofBo = '' } = await tokensOf(runId, bo);
    const { Delete: ofOther = '' } = await tokensOf(other, ana);
    const { Keep: keep = '' } = await tokensOf(runId, ana);
    for (const token of [ofBo, ofOther, keep, 'made.up']) {
      expect(await workspace.answer(runId, ana, 'delete', { token })).toMatchObject({
        status: 403,
        body: { code: 'PROMPT_LINK_INVALID' },
      });
    }
    for (const token of [ofBo, ofOther]) {
      expect((await workspace.prompt(runId, ana, `?answer=${token}`)).link_option).toBeNull();
    }
    expect(await refusals()).toEqual(Array(4).fill(['prompt.answer', 'PROMPT_LINK_INVALID', ana.email]));
    expect((await workspace.get(runId)).summary.status).toBe('waiting');
  });

  test('needs a sign-in: a link opens nothing by itself, and nothing to a key', async () => {
    const runId = await asks();
    const { Delete: token = '' } = await tokensOf(runId, ana);
    const nobody = { ...ana, headers: { authorization: 'Bearer none' } };
    const path = await workspace.promptPath(runId);
    expect(await fixture.call(nobody, 'POST', path, { option: 'delete', token })).toMatchObject({ status: 401 });
    const key = await fixture.server.createApiKey(ana, { tenant: workspace.tenant, role: 'Analyst' });
    const byKey = { ...ana, headers: { authorization: `Bearer ${key}` } };
    expect(await fixture.call(byKey, 'POST', path, { option: 'delete', token })).toMatchObject({
      status: 403,
      body: { code: 'PROMPT_LINK_INVALID' },
    });
    expect(await workspace.answer(runId, ana, 'delete', { token })).toMatchObject({ status: 200 });
  });

  test('does not make an approver of somebody who is none any more', async () => {
    const bo = await workspace.person('Analyst');
    const runId = await asks({ approvers: { role: 'Analyst' } });
    const { Delete: token = '' } = await tokensOf(runId, bo);
    await fixture.db.system((tx) =>
      tx.updateTable('membership').set({ role: 'ReadOnly' }).where('user_id', '=', bo.id).execute(),
    );
    expect(await workspace.answer(runId, bo, 'delete', { token })).toMatchObject({ status: 403 });
    expect((await workspace.get(runId)).summary.status).toBe('waiting');
  });

  test('is done with for everybody once one has answered', async () => {
    const bo = await workspace.person('Analyst');
    const runId = await asks();
    const { Keep: token = '' } = await tokensOf(runId, bo);
    await workspace.answer(runId, ana, 'keep');
    await vi.waitFor(
      async () => {
        const notice = await noticeOf(runId, bo);
        expect(notice.read_at).not.toBeNull();
        expect(notice.answers).toBeUndefined();
      },
      { timeout: 30_000, interval: 100 },
    );
    expect(await workspace.answer(runId, bo, 'keep', { token })).toMatchObject({
      status: 409,
      body: { code: 'PROMPT_ALREADY_ANSWERED' },
    });
  });

  test('is told to approvers only', async () => {
    const bo = await workspace.person('Analyst');
    const runId = await asks({ approvers: { usernames: [bo.email] } });
    await noticeOf(runId, bo);
    const { body } = await fixture.call(ana, 'GET', `${workspace.path}/notifications`);
    expect(notificationListSchema.parse(body).notifications).toEqual([]);
  });
});

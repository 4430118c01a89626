import { playbookDefinitionSchema, playbookSchema } from '@airdeck/contracts/playbooks/schema';
import { v7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { starterPolicies } from '../policies/starter-policies.ts';
import { createPlaybooksFixture, type PlaybooksFixture, threeSteps, type Workspace } from './playbooks-fixture.ts';

let fixture: PlaybooksFixture;
let work: Workspace;
beforeAll(async () => {
  fixture = await createPlaybooksFixture();
});
beforeEach(async () => {
  work = await fixture.createWorkspace();
});
afterAll(() => fixture?.close());

const call: PlaybooksFixture['call'] = (...request) => fixture.call(...request);
const renamed = (name: string) => ({ ...threeSteps(name) });

describe('a new playbook', () => {
  it('is a draft that cannot run, signed by whoever made it and not by what the body says', async () => {
    const draft = await work.create();
    expect(draft).toMatchObject({ revision: 1, updated_by: work.analyst.email, problems: [] });
    expect(draft.definition.metadata).toMatchObject({ author: work.analyst.email, updated_by: work.analyst.email });
    const shown = await call(work.analyst, 'GET', `${work.playbooks}/${draft.playbook_id}`);
    expect(playbookSchema.parse(shown.body)).toMatchObject({ version: 0, has_draft: true, triggers: [] });
    const start = await call(work.analyst, 'POST', `/api/tenants/${work.tenant}/soar/playbook_activity`, {
      playbook_id: draft.playbook_id,
      inputs: { ip: '203.0.113.7' },
    });
    expect(start).toMatchObject({ status: 409, body: { code: 'PLAYBOOK_NOT_PUBLISHED' } });
    expect(await work.audited('playbook.create')).toMatchObject([{ target_id: draft.playbook_id, outcome: 'ok' }]);
  });

  it('names the role of its approvers as the wire does, whichever spelling it was given', async () => {
    const [lookup, ask, block] = threeSteps().actions;
    const draft = await work.create({
      ...threeSteps(),
      actions: [lookup, { ...ask, approvers: { role: 'System Manager' } }, block],
    });
    const kept = { approvers: { role: 'SystemManager' } };
    expect(draft).toMatchObject({ problems: [], definition: { actions: [{}, kept, {}] } });
    expect((await work.publish(draft.playbook_id, draft.revision)).actions[1]).toMatchObject(kept);
    const wrong = { ...threeSteps(), actions: [{ ...ask, depends_on: [], approvers: { role: 'Read only' } }] };
    expect((await work.create(wrong)).problems).toContainEqual(
      expect.objectContaining({ path: 'actions.0.approvers.role' }),
    );
  });

  it('may be unfinished: what is wrong is told, and what is complete is listed', async () => {
    const definition = { ...threeSteps(), actions: [...threeSteps().actions, { id: 'X!', kind: 'unheard' }] };
    const draft = await work.create(definition);
    expect(draft.problems).toContainEqual(expect.objectContaining({ path: 'actions.3.kind', action_id: 'X!' }));
    const list = await call(work.analyst, 'GET', work.playbooks);
    expect(list.body).toMatchObject([{ id: draft.playbook_id, actions: [{}, {}, {}] }]);
    const publish = await call(work.analyst, 'POST', `${work.playbooks}/${draft.playbook_id}/publish`, { revision: 1 });
    expect(publish).toMatchObject({ status: 409, body: { code: 'PLAYBOOK_INVALID' } });
    expect(publish.body.details).toContainEqual(expect.objectContaining({ path: 'actions.3.kind' }));
  });

  it('is made once for one Idempotency-Key, also by twenty calls at once; another body is refused', async () => {
    const create = (name: string) =>
      call(work.analyst, 'POST', work.playbooks, { definition: renamed(name) }, { 'idempotency-key': 'first' });
    const answers = await Promise.all(Array.from({ length: 20 }, () => create('Once')));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ body }) => body.playbook_id)).size).toBe(1);
    expect(await create('Another')).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } });
    expect(await work.audited('playbook.create')).toHaveLength(1);
    const other = await work.person('Analyst');
    const theirs = await call(
      other,
      'POST',
      work.playbooks,
      { definition: renamed('Mine') },
      { 'idempotency-key': 'first' },
    );
    expect(theirs.status).toBe(201);
  });

  it('takes characters the store cannot hold as the ones that stand for them', async () => {
    const definition = { ...threeSteps('Odd \u0000 name'), outputs: { odd: 'a\u0000b\ud800' } };
    const draft = await work.create(definition);
    expect(draft.definition.metadata.name).toBe('Odd \ufffd name');
    expect(draft.definition.outputs).toEqual({ odd: 'a\ufffdb\ufffd' });
  });
});

describe('a draft', () => {
  it('counts up with every save; a stale one is refused with who saved and when', async () => {
    const { playbook_id: id } = await work.create();
    const path = `${work.playbooks}/${id}/draft`;
    const saved = await call(work.analyst, 'PUT', path, { definition: renamed('Second'), revision: 1 });
    expect(saved).toMatchObject({ status: 200, body: { revision: 2, definition: { metadata: { name: 'Second' } } } });
    const other = await work.person('Analyst');
    const stale = await call(other, 'PUT', path, { definition: renamed('Third'), revision: 1 });
    expect(stale).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    expect(stale.body.message).toContain(work.analyst.email);
    expect(stale.body.details).toEqual([
      { path: 'updated_by', message: work.analyst.email },
      { path: 'updated_at', message: saved.body.updated_at },
      { path: 'revision', message: '2' },
      { path: 'version', message: '0' },
    ]);
    const mine = await call(other, 'PUT', path, { definition: renamed('Third'), revision: 2 });
    expect(mine.body).toMatchObject({ revision: 3, updated_by: other.email });
    expect(mine.body.definition).toMatchObject({ metadata: { author: work.analyst.email, updated_by: other.email } });
    expect(await work.audited('playbook.save_draft')).toHaveLength(2);
  });

  it('of which twenty are saved at once on one revision is one', async () => {
    const { playbook_id: id } = await work.create();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        call(work.analyst, 'PUT', `${work.playbooks}/${id}/draft`, { definition: renamed(`Save ${n}`), revision: 1 }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19);
  });

  it('begins anew on the published version, never with a number that was used', async () => {
    const { id } = await work.createPublished();
    const path = `${work.playbooks}/${id}/draft`;
    const none = await call(work.analyst, 'GET', path);
    expect(none.body).toMatchObject({ revision: 0, definition: { metadata: { name: 'Block an address' } } });
    const begun = await call(work.analyst, 'PUT', path, { definition: renamed('Next'), revision: 0, based_on: 1 });
    expect(begun.body).toMatchObject({ revision: 2 });
    expect((await call(work.analyst, 'PUT', path, { definition: renamed('Lost'), revision: 0 })).status).toBe(409);
    expect((await call(work.analyst, 'DELETE', path)).status).toBe(204);
    expect((await call(work.analyst, 'DELETE', path)).status).toBe(204);
    expect(await work.audited('playbook.discard_draft')).toHaveLength(1);
    expect((await call(work.analyst, 'GET', path)).body).toMatchObject({ revision: 0 });
  });

  it('made on a version that is not the newest any more is refused, when it says which one that was', async () => {
    const { id } = await work.createPublished();
    const path = `${work.playbooks}/${id}/draft`;
    await call(work.analyst, 'PUT', path, { definition: renamed('Two'), revision: 0, based_on: 1 });
    await work.publish(id, 2);
    const late = await call(work.analyst, 'PUT', path, { definition: renamed('Late'), revision: 0, based_on: 1 });
    expect(late).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    expect(late.body.message).toContain('published version 2');
  });

  it('is all there is of a playbook that was never published, so it is not discarded', async () => {
    const { playbook_id: id } = await work.create();
    expect(await call(work.analyst, 'DELETE', `${work.playbooks}/${id}/draft`)).toMatchObject({ status: 409 });
    expect((await call(work.analyst, 'GET', `${work.playbooks}/${id}/draft`)).status).toBe(200);
  });

  it('of a playbook that is deleted is gone, whatever is done with it', async () => {
    const { playbook_id: id } = await work.create();
    expect((await call(work.analyst, 'DELETE', `${work.playbooks}/${id}`)).status).toBe(204);
    const definition = threeSteps();
    const answers = [
      await call(work.analyst, 'GET', `${work.playbooks}/${id}/draft`),
      await call(work.analyst, 'PUT', `${work.playbooks}/${id}/draft`, { definition, revision: 1 }),
      await call(work.analyst, 'DELETE', `${work.playbooks}/${id}/draft`),
      await call(work.analyst, 'POST', `${work.playbooks}/${id}/publish`, { revision: 1 }),
      await call(work.analyst, 'DELETE', `${work.playbooks}/${id}`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
  });
});

describe('publishing', () => {
  it('makes the draft the next version, with the note and who it was', async () => {
    const { playbook_id: id } = await work.create();
    const publish = { revision: 1, note: 'Asks first' };
    const published = await call(work.analyst, 'POST', `${work.playbooks}/${id}/publish`, publish);
    expect(playbookSchema.parse(published.body)).toMatchObject({ version: 1, has_draft: false, triggers: ['manual'] });
    await call(work.analyst, 'PUT', `${work.playbooks}/${id}/draft`, { definition: renamed('Two'), revision: 0 });
    await work.publish(id, 2);
    const versions = await call(work.analyst, 'GET', `${work.playbooks}/${id}/versions`);
    expect(versions.body).toMatchObject([
      { version: 2, note: '', published_by: work.analyst.email, definition: { metadata: { name: 'Two' } } },
      { version: 1, note: 'Asks first', definition: { metadata: { name: 'Block an address' } } },
    ]);
    expect((await work.audited('playbook.publish')).map(({ data }) => data)).toMatchObject([
      { version: 1 },
      { version: 2 },
    ]);
    expect(await work.auditVerdict()).toMatchObject({ intact: true });
  });

  it('happens once for one revision, tried twenty times at once', async () => {
    const { playbook_id: id } = await work.create();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => call(work.analyst, 'POST', `${work.playbooks}/${id}/publish`, { revision: 1 })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.code === 'CONFLICT')).toHaveLength(19);
    expect((await call(work.analyst, 'GET', `${work.playbooks}/${id}/versions`)).body).toHaveLength(1);
  });

  it('rolls back to an older version as a new one, and leaves a draft alone', async () => {
    const { id } = await work.createPublished();
    const path = `${work.playbooks}/${id}`;
    await call(work.analyst, 'PUT', `${path}/draft`, { definition: renamed('Two'), revision: 0 });
    await work.publish(id, 2);
    await call(work.analyst, 'PUT', `${path}/draft`, { definition: renamed('Going on'), revision: 0 });
    const back = await call(work.analyst, 'POST', `${path}/roll_back`, { version: 1 });
    expect(back).toMatchObject({ status: 200, body: { version: 3, has_draft: true } });
    expect(back.body.metadata).toMatchObject({ name: 'Block an address', updated_by: work.analyst.email });
    expect(await call(work.analyst, 'POST', `${path}/roll_back`, { version: 9 })).toMatchObject({ status: 404 });
    expect(await work.audited('playbook.roll_back')).toMatchObject([{ data: { version: 3, rolled_back_to: 1 } }]);
  });

  it('is rolled back once, whoever asks again', async () => {
    const { id } = await work.createPublished();
    const path = `${work.playbooks}/${id}`;
    await call(work.analyst, 'PUT', `${path}/draft`, { definition: renamed('Two'), revision: 0 });
    await work.publish(id, 2);
    const colleague = await work.person('Analyst');
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        call(index % 2 === 0 ? work.analyst : colleague, 'POST', `${path}/roll_back`, { version: 1 }),
      ),
    );
    expect(answers.map(({ status, body }) => `${status} ${body.version}`)).toEqual(
      Array.from({ length: 20 }, () => '200 3'),
    );
    expect(await work.audited('playbook.roll_back')).toHaveLength(1);
  });

  it('checks an old version again before it runs anew: what it names may be gone', async () => {
    const other = await work.createPublished(threeSteps('Verify'));
    const start = { id: 'verify', kind: 'playbook', playbook_id: other.id, inputs: { ip: '{{ inputs.ip }}' } };
    const { id } = await work.createPublished({ ...threeSteps(), actions: [start], outputs: {} });
    await call(work.analyst, 'PUT', `${work.playbooks}/${id}/draft`, { definition: threeSteps(), revision: 0 });
    await work.publish(id, 2);
    expect((await call(work.analyst, 'DELETE', `${work.playbooks}/${other.id}`)).status).toBe(204);
    const back = await call(work.analyst, 'POST', `${work.playbooks}/${id}/roll_back`, { version: 1 });
    expect(back).toMatchObject({ status: 409, body: { code: 'PLAYBOOK_INVALID' } });
    expect(back.body.details).toMatchObject([{ path: 'actions.0.playbook_id' }]);
  });
});

describe('what starts a playbook', () => {
  it('may be a response of a policy, switched on or off', async () => {
    const { id } = await work.createPublished();
    const { policies, addRuleResponse } = fixture.server.composition.work;
    const [rule] = starterPolicies;
    if (!rule) throw new Error('The starter policies are gone.');
    const by = { actor: { kind: 'system', id: null, name: 'Test' }, requestId: null } as const;
    const rule_id = await fixture.db.tenant(work.tenant, async (tx) => {
      const policy = await policies.create(tx, work.scope, { rule }, by);
      for (const [response_name, enabled] of [
        ['Block', true],
        ['Later', false],
      ] as const) {
        const response = { rule_id: policy, response_name, definition_id: id, enabled, connector_id: null, inputs: {} };
        const more = { response_type: 'playbook', created_by: 'Automation', owner_user_id: null } as const;
        await addRuleResponse(tx, work.scope, { ...response, ...more }, by);
      }
      return policy;
    });
    const uses = await call(work.analyst, 'GET', `${work.playbooks}/${id}/used_by`);
    expect(uses.body.policies).toEqual([
      { rule_id, rule_name: rule.name, response_name: 'Block', enabled: true },
      { rule_id, rule_name: rule.name, response_name: 'Later', enabled: false },
    ]);
    const refused = await call(work.analyst, 'DELETE', `${work.playbooks}/${id}`);
    expect(refused).toMatchObject({ status: 409, body: { code: 'PLAYBOOK_IN_USE' } });
    expect(refused.body.details).toMatchObject([{ reason: 'USE_POLICY' }, { reason: 'USE_POLICY_OFF' }]);
    const shown = await call(work.analyst, 'GET', `${work.playbooks}/${id}`);
    expect(shown.body).toMatchObject({ triggers: ['manual', 'policy'] });
  });

  it('is named, keeps it from being deleted, and shows in its triggers', async () => {
    const { id } = await work.createPublished(threeSteps('Used'));
    const start = { id: 'verify', kind: 'playbook', playbook_id: id, inputs: { ip: '192.0.2.1' } };
    const caller = await work.createPublished({ ...threeSteps('Caller'), actions: [start], outputs: {} });
    const uses = await call(work.analyst, 'GET', `${work.playbooks}/${id}/used_by`);
    const playbooks = [{ id: caller.id, name: 'Caller', action_id: 'verify' }];
    expect(uses.body).toEqual({ policies: [], automations: [], playbooks });
    const refused = await call(work.analyst, 'DELETE', `${work.playbooks}/${id}`);
    expect(refused).toMatchObject({ status: 409, body: { code: 'PLAYBOOK_IN_USE' } });
    expect(refused.body.details).toEqual([
      {
        path: 'playbooks',
        message: 'Playbook "Caller", action verify',
        reason: 'USE_PLAYBOOK',
        values: { name: 'Caller', action: 'verify' },
      },
    ]);
    const shown = await call(work.analyst, 'GET', `${work.playbooks}/${id}`);
    expect(shown.body).toMatchObject({ triggers: ['manual', 'playbook'] });
    expect((await call(work.analyst, 'DELETE', `${work.playbooks}/${caller.id}`)).status).toBe(204);
    expect((await call(work.analyst, 'DELETE', `${work.playbooks}/${id}`)).status).toBe(204);
    expect(await work.audited('playbook.delete')).toHaveLength(2);
  });

  it('is never two playbooks that start each other, published at the same time', async () => {
    const one = await work.createPublished(threeSteps('One'));
    const two = await work.createPublished(threeSteps('Two'));
    const starting = async (id: string, other: string, name: string) => {
      const start = { id: 'go', kind: 'playbook', playbook_id: other, inputs: { ip: '192.0.2.1' } };
      const definition = { ...threeSteps(name), actions: [start], outputs: {} };
      const saved = await call(work.analyst, 'PUT', `${work.playbooks}/${id}/draft`, { definition, revision: 0 });
      expect(saved).toMatchObject({ status: 200, body: { problems: [] } });
      return () => call(work.analyst, 'POST', `${work.playbooks}/${id}/publish`, { revision: saved.body.revision });
    };
    const publishOne = await starting(one.id, two.id, 'One');
    const publishTwo = await starting(two.id, one.id, 'Two');
    const answers = await Promise.all([publishOne(), publishTwo()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused?.body).toMatchObject({ code: 'PLAYBOOK_INVALID', details: [{ path: 'actions.0.playbook_id' }] });
  });
});

describe("another tenant's playbook", () => {
  it('does not exist, to the byte, on every route', async () => {
    const { id } = await work.createPublished();
    const stranger = await fixture.createWorkspace();
    const definition = threeSteps();
    const calls: [Parameters<typeof call>[1], string, unknown?][] = [
      ['GET', ''],
      ['DELETE', ''],
      ['GET', '/draft'],
      ['PUT', '/draft', { definition, revision: 0 }],
      ['DELETE', '/draft'],
      ['POST', '/publish', { revision: 1 }],
      ['GET', '/versions'],
      ['POST', '/roll_back', { version: 1 }],
      ['GET', '/used_by'],
      ['GET', '/export'],
      ['POST', '/duplicate', { name: 'Mine' }],
      ['POST', '/dry_run', { inputs: { ip: '192.0.2.1' } }],
      ['POST', '/dry_run', { inputs: { ip: '192.0.2.1' }, definition }],
    ];
    for (const [method, path, body] of calls) {
      const answers = [];
      for (const target of [id, v7()]) {
        const { status, text } = await call(stranger.analyst, method, `${stranger.playbooks}/${target}${path}`, body);
        answers.push({ status, text: text.replace(/"request_id":"[^"]+"/, '') });
      }
      expect(answers[0], `${method} ${path}`).toMatchObject({ status: 404 });
      expect(answers[1], `${method} ${path}`).toEqual(answers[0]);
    }
    expect((await call(stranger.analyst, 'GET', stranger.playbooks)).body).toEqual([]);
    expect((await call(work.analyst, 'GET', `${work.playbooks}/${id}`)).body).toMatchObject({ version: 1 });
  });

  it('is out of reach of the store itself', async () => {
    const { id } = await work.createPublished();
    await call(work.analyst, 'PUT', `${work.playbooks}/${id}/draft`, { definition: threeSteps(), revision: 0 });
    const stranger = await fixture.createWorkspace();
    const seen = await fixture.db.tenant(stranger.tenant, async (tx) => ({
      playbooks: await tx.selectFrom('playbook').select('id').execute(),
      versions: await tx.selectFrom('playbook_version').select('version').execute(),
      drafts: await tx.selectFrom('playbook_draft').select('revision').execute(),
      runs: await tx.selectFrom('playbook_run').select('run_id').execute(),
    }));
    expect(seen).toEqual({ playbooks: [], versions: [], drafts: [], runs: [] });
    const forged = fixture.db.tenant(stranger.tenant, (tx) =>
      tx
        .insertInto('playbook_run')
        .values({ tenant_id: work.tenant, run_id: v7(), playbook_id: id, version: 1, dry_run: false })
        .execute(),
    );
    await expect(forged).rejects.toThrow(/row-level security/);
    const changed = fixture.db.tenant(work.tenant, (tx) =>
      tx.updateTable('playbook_version').set({ note: 'another' }).execute(),
    );
    await expect(changed).rejects.toThrow(/permission denied/);
  });

  it('is not for people who only read', async () => {
    const { id } = await work.createPublished();
    const reader = await work.person('ReadOnly');
    for (const path of ['', `/${id}`, `/${id}/draft`, `/${id}/versions`, `/${id}/export`]) {
      expect(await call(reader, 'GET', `${work.playbooks}${path}`)).toMatchObject({ body: { code: 'ROLE_TOO_LOW' } });
    }
  });
});

describe('a playbook of the product', () => {
  it('is added once under its id, and never over what people made of it', async () => {
    const { playbooks } = fixture.server.composition.work;
    const definition = playbookDefinitionSchema.parse(threeSteps('Shipped'));
    const by = { actor: { kind: 'system', id: null, name: 'Test' }, requestId: null } as const;
    const id = v7();
    const add = () => fixture.db.tenant(work.tenant, (tx) => playbooks.create(tx, work.scope, definition, by, { id }));
    expect(await add()).toBe(id);
    await call(work.analyst, 'PUT', `${work.playbooks}/${id}/draft`, { definition: renamed('Ours'), revision: 0 });
    await work.publish(id, 1);
    expect(await add()).toBe(id);
    const shown = await call(work.analyst, 'GET', `${work.playbooks}/${id}`);
    expect(shown.body).toMatchObject({ version: 2, metadata: { name: 'Ours', author: 'somebody else' } });
    expect(await work.audited('playbook.create')).toHaveLength(1);
  });
});

describe('the list', () => {
  it('is in the order of the names, drafts among them, in any case', async () => {
    await work.createPublished(threeSteps('beta'));
    await work.create(threeSteps('Alpha'));
    await work.createPublished(threeSteps('Gamma'));
    const { body } = await call(work.analyst, 'GET', work.playbooks);
    const names = (body as unknown as { metadata: { name: string } }[]).map(({ metadata }) => metadata.name);
    expect(names).toEqual(['Alpha', 'beta', 'Gamma']);
  });
});

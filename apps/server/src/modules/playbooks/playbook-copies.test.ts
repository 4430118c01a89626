import type { Role } from '@airdeck/contracts/access/roles';
import { v7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Actor } from '../../http/test-server.ts';
import { createPlaybooksFixture, type PlaybooksFixture, threeSteps, type Workspace } from './playbooks-fixture.ts';

let fixture: PlaybooksFixture;
let source: Workspace;
let target: Workspace;
beforeAll(async () => {
  fixture = await createPlaybooksFixture();
});
beforeEach(async () => {
  source = await fixture.createWorkspace();
  target = await fixture.createWorkspace();
});
afterAll(() => fixture?.close());

const inBoth = (there: Role) =>
  fixture.server.createActor({
    home: source.tenant,
    roles: { [source.tenant]: 'Analyst', [target.tenant]: there },
  });

function duplicate(actor: Actor, id: string, body: object, headers = {}) {
  return fixture.call(actor, 'POST', `${source.playbooks}/${id}/duplicate`, body, headers);
}

async function withConnector(): Promise<string> {
  const [lookup, ...rest] = threeSteps().actions;
  const draft = await source.create({ ...threeSteps(), actions: [{ ...lookup, connector_id: v7() }, ...rest] });
  return draft.playbook_id;
}

describe('a copy', () => {
  it('in the same tenant is a draft of its own name, with the connectors of the original', async () => {
    const id = await withConnector();
    const copy = await duplicate(source.analyst, id, { name: 'Second' });
    expect(copy).toMatchObject({ status: 201, body: { tenant: source.tenant } });
    const { body } = await fixture.call(source.analyst, 'GET', `${source.playbooks}/${copy.body.id}/draft`);
    expect(body).toMatchObject({ revision: 1, definition: { metadata: { name: 'Second' } } });
    expect(JSON.stringify(body.definition)).toMatch(/"connector_id":"[0-9a-f-]{36}"/);
  });

  it('in another tenant has no connectors, is signed by whoever made it, and audited in both', async () => {
    const id = await withConnector();
    const both = await inBoth('Analyst');
    const copy = await duplicate(both, id, { name: 'Elsewhere', tenant: target.tenant });
    expect(copy).toMatchObject({ status: 201, body: { tenant: target.tenant } });
    const { body } = await fixture.call(target.analyst, 'GET', `${target.playbooks}/${copy.body.id}/draft`);
    expect(body.definition).toMatchObject({ metadata: { name: 'Elsewhere', author: both.email } });
    expect(JSON.stringify(body.definition)).not.toMatch(/"connector_id":"/);
    expect(await source.audited('playbook.duplicate')).toMatchObject([
      { target_id: id, actor_name: both.email, data: { to_tenant: target.tenant, copy: copy.body.id } },
    ]);
    expect((await target.audited('playbook.create')).at(-1)).toMatchObject({
      target_id: copy.body.id,
      data: { from_tenant: source.tenant, copied_from: id },
    });
    expect(await source.auditVerdict()).toMatchObject({ intact: true });
    expect(await target.auditVerdict()).toMatchObject({ intact: true });
  });

  it('is of what is published, not of changes nobody published yet', async () => {
    const { id } = await source.createPublished(threeSteps('Published'));
    const changed = { ...threeSteps('Changed'), outputs: { changed: true } };
    await fixture.call(source.analyst, 'PUT', `${source.playbooks}/${id}/draft`, { definition: changed, revision: 0 });
    const copy = await duplicate(source.analyst, id, { name: 'Copy' });
    const { body } = await fixture.call(source.analyst, 'GET', `${source.playbooks}/${copy.body.id}/draft`);
    expect(body.definition).toMatchObject({ outputs: { blocked: expect.any(String) } });
  });

  it('is made once for one Idempotency-Key', async () => {
    const { playbook_id: id } = await source.create();
    const both = await inBoth('Analyst');
    const again = { 'idempotency-key': 'copy' };
    const body = { name: 'Once', tenant: target.tenant };
    const answers = await Promise.all(Array.from({ length: 10 }, () => duplicate(both, id, body, again)));
    expect(new Set(answers.map(({ status, body: { id: copy } }) => `${status} ${copy}`)).size).toBe(1);
    expect((await duplicate(both, id, { ...body, name: 'Twice' }, again)).status).toBe(422);
    expect((await fixture.call(target.analyst, 'GET', target.playbooks)).body).toHaveLength(1);
  });
});

describe('a copy into a tenant where the caller may not build', () => {
  it('is refused as any call there: a foreign tenant as one that does not exist, to the byte', async () => {
    const { playbook_id: id } = await source.create();
    const answers = [];
    for (const tenant of [target.tenant, v7()]) {
      const { status, text } = await duplicate(source.analyst, id, { name: 'Copy', tenant });
      answers.push({ status, text: text.replace(/"request_id":"[^"]+"/, '') });
    }
    expect(answers[0]).toMatchObject({ status: 403, text: expect.stringContaining('TENANT_FORBIDDEN') });
    expect(answers[1]).toEqual(answers[0]);
    const direct = await fixture.call(source.analyst, 'GET', target.playbooks);
    expect({ status: direct.status, text: direct.text.replace(/"request_id":"[^"]+"/, '') }).toEqual(answers[0]);
    const refused = await source.audited('route.call');
    expect(refused).toMatchObject([
      { outcome: 'refused', code: 'TENANT_FORBIDDEN', actor_name: source.analyst.email, target_id: 'playbooks.create' },
      { outcome: 'refused', code: 'TENANT_FORBIDDEN', target_id: 'playbooks.list' },
    ]);
    expect(await target.audited('route.call')).toEqual([]);
    expect((await fixture.call(target.analyst, 'GET', target.playbooks)).body).toEqual([]);
  });

  it('is refused for a role that is too low there, and with a key that is for one tenant', async () => {
    const { playbook_id: id } = await source.create();
    const reader = await inBoth('ReadOnly');
    const low = await duplicate(reader, id, { name: 'Copy', tenant: target.tenant });
    expect(low).toMatchObject({ status: 403, body: { code: 'ROLE_TOO_LOW' } });
    expect(await target.audited('route.call')).toMatchObject([{ outcome: 'refused', code: 'ROLE_TOO_LOW' }]);
    const both = await inBoth('Admin');
    const key = await fixture.server.createApiKey(both, { tenant: source.tenant, role: 'Analyst' });
    const withKey = { ...both, headers: { authorization: `Bearer ${key}` } };
    const refused = await duplicate(withKey, id, { name: 'Copy', tenant: target.tenant });
    expect(refused).toMatchObject({ status: 403, body: { code: 'TENANT_FORBIDDEN' } });
    expect((await duplicate(withKey, id, { name: 'Copy' })).status).toBe(201);
    expect((await fixture.call(target.analyst, 'GET', target.playbooks)).body).toEqual([]);
  });
});

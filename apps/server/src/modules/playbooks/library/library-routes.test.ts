import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createPlaybooksFixture, type PlaybooksFixture, type Workspace } from '../playbooks-fixture.ts';
import { shippedPlaybooks } from './shipped-playbooks.ts';

let fixture: PlaybooksFixture;
let workspace: Workspace;
beforeAll(async () => {
  fixture = await createPlaybooksFixture();
});
beforeEach(async () => {
  workspace = await fixture.createWorkspace();
});
afterAll(() => fixture?.close());

type Shipped = { key: string; playbook_id: string | null; integrations: string[] };

async function library(method: 'GET' | 'POST' = 'GET', body?: object) {
  const answer = await fixture.call(workspace.analyst, method, `${workspace.playbooks}/library`, body);
  return { status: answer.status, shipped: answer.body as unknown as Shipped[] };
}

it('lists what the product ships, with the integrations each needs, to a tenant that has none of it', async () => {
  const { status, shipped } = await library();
  expect(status).toBe(200);
  expect(shipped.map(({ key }) => key).sort()).toEqual(Object.keys(shippedPlaybooks).sort());
  expect(shipped.every(({ playbook_id }) => playbook_id === null)).toBe(true);
  const block = shipped.find(({ key }) => key === 'block-guessing-address');
  expect(block?.integrations).toEqual(['abuseipdb', 'fortigate']);
});

it('copies what is asked for, once, and leaves an edited copy as it is', async () => {
  const both = { keys: ['malware-hash', 'lost-device', 'lost-device'] };
  const first = await library('POST', both);
  expect(first.status).toBe(200);
  const added = first.shipped.filter(({ playbook_id }) => playbook_id !== null);
  expect(added.map(({ key }) => key).sort()).toEqual(['lost-device', 'malware-hash']);

  const url = `${workspace.playbooks}/${added[0]?.playbook_id}`;
  const { body: draft } = await fixture.call(workspace.analyst, 'GET', `${url}/draft`);
  const definition = draft.definition as { metadata: object };
  const renamed = { ...definition, metadata: { ...definition.metadata, name: 'Ours' } };
  await fixture.call(workspace.analyst, 'PUT', `${url}/draft`, { definition: renamed, revision: 0 });
  await workspace.publish(added[0]?.playbook_id ?? '', 1);
  await library('POST', both);
  const { body: now } = await fixture.call(workspace.analyst, 'GET', url);
  expect(now).toMatchObject({ version: 2, metadata: { name: 'Ours' } });
  const { body: all } = await fixture.call(workspace.analyst, 'GET', workspace.playbooks);
  expect(all).toHaveLength(2);
});

it('refuses what it does not have, and adds nothing then', async () => {
  for (const key of ['nothing', 'constructor', '__proto__']) {
    expect((await library('POST', { keys: ['malware-hash', key] })).status).toBe(404);
  }
  expect((await library('POST', { keys: [] })).status).toBe(400);
  expect((await library()).shipped.every(({ playbook_id }) => playbook_id === null)).toBe(true);
});

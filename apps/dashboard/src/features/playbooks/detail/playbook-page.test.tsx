import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { otherTenant, ownTenant, userWith } from '../../../session/fixtures.ts';
import { failure, type Given, showApp, visit } from '../../../test-app.tsx';
import { playbook, playbookId, playbookRun, runId, version } from '../playbook-fixtures.ts';
// Loaded with the file, or the first test would wait for them.
import './definition-panel.tsx';
import './delete-dialog.tsx';
import './duplicate-dialog.tsx';
import './runs-panel.tsx';
import './start-drawer.tsx';
import './used-by-panel.tsx';
import './version-diff.tsx';
import './versions-panel.tsx';

vi.setConfig({ testTimeout: 60_000 });
type Answers = NonNullable<Given['answers']>;

const id = playbookId(1);
const unused = { policies: [], automations: [], playbooks: [] };
const rule = { rule_id: playbookId(50), rule_name: 'Many failed sign-ins', response_name: 'contain', enabled: true };

function answersOf(tenant: string, own: Answers = {}): Answers {
  const api = `/api/tenants/${tenant}/soar`;
  return {
    [`GET ${api}/playbooks/${id}`]: () => Response.json(playbook(1)),
    [`GET ${api}/available_actions`]: () => Response.json([]),
    [`GET ${api}/playbooks/${id}/used_by`]: () => Response.json(unused),
    [`GET ${api}/playbooks/${id}/versions`]: () => Response.json([version(2), version(1)]),
    [`GET ${api}/playbook_activity`]: () => Response.json([{ summary: playbookRun(1).summary }]),
    ...own,
  };
}

const api = `/api/tenants/${ownTenant}/soar`;
const show = (at: string, answers: Answers = {}, me?: Given['me']) =>
  showApp(at, { answers: answersOf(ownTenant, answers), ...(me === undefined ? {} : { me }) });
const heading = () => screen.findByRole('heading', { level: 1, name: 'Playbook 1' });
const dialog = () => screen.findByRole('dialog');
async function choose(item: string): Promise<void> {
  fireEvent.click(await screen.findByRole('button', { name: 'More for Playbook 1' }));
  fireEvent.click(await screen.findByRole('menuitem', { name: item }));
}

test('Read Only has no business there, and what is no id is not found', async () => {
  expect((await visit(`/playbooks/${id}`, { me: userWith({ own: 'ReadOnly' }) })).at).toBe('/unauthorized');
  showApp('/playbooks/nothing');
  expect(await screen.findByText("We couldn't find the page you were looking for")).toBeTruthy();
});

test('a tenant of the address overrides the current one, only for members of it', async () => {
  const me = userWith({ own: 'Analyst', other: 'Analyst' });
  const { app, state } = showApp(`/playbooks/${id}?tenant=${otherTenant}`, { me, answers: answersOf(otherTenant) });
  await heading();
  expect(app.session.get()?.currentTenant).toBe(otherTenant);
  expect(state.asked.some((call) => call.includes(ownTenant))).toBe(false);
  const stranger = await visit(`/playbooks/${id}?tenant=${playbookId(77)}`, { me });
  expect(stranger.at).toMatch(/^\/unauthorized#/);
});

test('the steps stand in words; one of the address is led to', async () => {
  show(`/playbooks/${id}?panel=definition&step=approve`);
  const step = await screen.findByRole('heading', { level: 2, name: 'Approve' });
  expect(step.closest('li')?.getAttribute('data-shown')).toBe('true');
  expect(screen.getByText('Answers: “Block”, “Ignore”.')).toBeTruthy();
});

test('the YAML is the text of the server', async () => {
  const file = { file_name: 'playbook-1.yaml', yaml: 'metadata:\n  name: Playbook 1\n' };
  show(`/playbooks/${id}?panel=definition`, { [`GET ${api}/playbooks/${id}/export`]: () => Response.json(file) });
  fireEvent.click(await screen.findByRole('radio', { name: 'YAML' }));
  const text = await screen.findByRole('region', { name: 'YAML of this playbook' });
  expect(text.textContent).toBe(file.yaml);
  expect(screen.getByRole('button', { name: 'Download' })).toBeTruthy();
});

test('two versions are compared line by line, and which ones is in the address', async () => {
  const { at } = show(`/playbooks/${id}?panel=versions`, {
    [`GET ${api}/playbooks/${id}/versions`]: () => Response.json([version(3), version(2), version(1)]),
  });
  const changes = await screen.findByRole('region', { name: 'Changes from version 2 to version 3' });
  expect(changes.querySelector('del')?.textContent).toContain('timeout_s: 120');
  expect(changes.querySelector('ins')?.textContent).toContain('timeout_s: 180');
  expect(screen.getByText('1 line added, 1 line removed')).toBeTruthy();
  fireEvent.change(screen.getByLabelText('From'), { target: { value: '1' } });
  await screen.findByRole('region', { name: 'Changes from version 1 to version 3' });
  expect(at()).toContain('from=1');
});

test('the list of versions says where it does not go back to the first one', async () => {
  const older = 'Older versions are kept and not listed here.';
  show(`/playbooks/${id}?panel=versions`, {
    [`GET ${api}/playbooks/${id}/versions`]: () => Response.json([version(102), version(101)]),
  });
  expect(await screen.findByText(older)).toBeTruthy();
  cleanup();
  show(`/playbooks/${id}?panel=versions`);
  await screen.findByRole('button', { name: 'Roll back to version 1' });
  expect(screen.queryByText(older)).toBeNull();
});

test('one part is the current one', async () => {
  show(`/playbooks/${id}?panel=versions`);
  await heading();
  const tabs = within(screen.getByRole('navigation', { name: 'Parts of the playbook' })).getAllByRole('link');
  const current = tabs.filter((tab) => tab.getAttribute('aria-current') === 'page');
  expect(current.map(({ textContent }) => textContent)).toEqual(['Versions']);
});

test('rolling back asks first, and says which version runs then', async () => {
  const sent: unknown[] = [];
  show(`/playbooks/${id}?panel=versions`, {
    [`POST ${api}/playbooks/${id}/roll_back`]: ({ body }) => {
      sent.push(body);
      return Response.json(playbook(1, { version: 3 }));
    },
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Roll back to version 1' }));
  const asking = within(await dialog());
  expect(asking.getByText(/published again, as version 3/)).toBeTruthy();
  expect(sent).toEqual([]);
  fireEvent.click(asking.getByRole('button', { name: 'Roll back' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent).toEqual([{ version: 1 }]);
});

test('its runs are asked for by its id, fifteen at a time', async () => {
  const asked: string[] = [];
  show(`/playbooks/${id}?panel=runs&page=2`, {
    [`GET ${api}/playbook_activity`]: ({ url }) => {
      asked.push(url.search);
      return Response.json([{ summary: playbookRun(1).summary }]);
    },
  });
  const link = await screen.findByRole('link', { name: /^Run …/ });
  expect(link.getAttribute('href')).toBe(`/activity/playbooks/${runId(1)}`);
  expect(asked[0]).toContain(`playbook_id=${id}`);
  expect(asked[0]).toContain('skip=15');
});

test('its facts count automations among what starts it', async () => {
  const automation = { id: playbookId(3), name: 'Block who guesses', response_name: 'Block', enabled: true };
  show(`/playbooks/${id}`, {
    [`GET ${api}/playbooks/${id}/used_by`]: () => Response.json({ ...unused, automations: [automation] }),
  });
  expect(await screen.findByText('1 automation')).toBeTruthy();
});

test('what uses it is named, and keeps it from being deleted', async () => {
  const automation = { id: playbookId(3), name: 'Block who guesses', response_name: 'Block', enabled: true };
  const playbooks = [{ id: playbookId(2), name: 'Outer', action_id: 'contain' }];
  const use = { policies: [rule], automations: [automation], playbooks };
  const removed: unknown[] = [];
  show(`/playbooks/${id}?panel=used-by`, {
    [`GET ${api}/playbooks/${id}/used_by`]: () => Response.json(use),
    [`DELETE ${api}/playbooks/${id}`]: () => {
      removed.push(id);
      return new Response(null, { status: 204 });
    },
  });
  expect(await screen.findByText('Many failed sign-ins')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Block who guesses' })).toBeTruthy();
  await choose('Delete');
  const asking = within(await dialog());
  await asking.findByText(/cannot be deleted while something starts it/);
  expect(asking.getByRole('link', { name: 'Block who guesses' })).toBeTruthy();
  expect(asking.queryByRole('button', { name: 'Delete playbook' })).toBeNull();
  expect(removed).toEqual([]);
});

test('used since the dialog was opened, it stays, and what uses it is shown', async () => {
  let used = false;
  show(`/playbooks/${id}`, {
    [`GET ${api}/playbooks/${id}/used_by`]: () => Response.json(used ? { ...unused, policies: [rule] } : unused),
    [`DELETE ${api}/playbooks/${id}`]: () => {
      used = true;
      return failure(409, 'PLAYBOOK_IN_USE', 'Something still starts this playbook.');
    },
  });
  await choose('Delete');
  const asking = within(await dialog());
  fireEvent.click(await asking.findByRole('button', { name: 'Delete playbook' }));
  await asking.findByText('Many failed sign-ins');
});

test('a copy goes to another tenant only where the reader builds playbooks', async () => {
  const sent: unknown[] = [];
  const answers: Answers = {
    [`POST ${api}/playbooks/${id}/duplicate`]: ({ body }) => {
      sent.push(body);
      return Response.json({ tenant: otherTenant, id: playbookId(9) }, { status: 201 });
    },
  };
  const { leave } = show(`/playbooks/${id}`, answers);
  await choose('Duplicate');
  expect(within(await dialog()).queryByLabelText('Tenant')).toBeNull();
  leave();
  show(`/playbooks/${id}`, answers, userWith({ own: 'Analyst', other: 'Analyst' }));
  await choose('Duplicate');
  const form = within(await dialog());
  fireEvent.change(form.getByLabelText('Tenant'), { target: { value: otherTenant } });
  fireEvent.change(form.getByLabelText('Name of the copy'), { target: { value: 'Over there' } });
  fireEvent.click(form.getByRole('button', { name: 'Duplicate' }));
  await waitFor(() => expect(sent).toEqual([{ name: 'Over there', tenant: otherTenant }]));
});

test('it is run beside its screen, where trying comes first for whoever chose to try', async () => {
  show(`/playbooks/${id}`);
  await heading();
  fireEvent.click(screen.getByRole('button', { name: 'Try' }));
  const form = within(await dialog());
  const buttons = (await form.findAllByRole('button', { name: /^(Run|Try)$/ })).map(({ textContent }) => textContent);
  expect(buttons).toEqual(['Try', 'Run']);
});

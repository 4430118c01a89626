import type { Playbook } from '@airdeck/contracts/playbooks/schema';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ownTenant, userWith } from '../../../session/fixtures.ts';
import { failure, type Given, showApp, visit } from '../../../test-app.tsx';
import { playbook, playbookId, playbookRun, runId, step } from '../playbook-fixtures.ts';
// Loaded with the file, or the first test would wait for them.
import './import-dialog.tsx';
import './playbook-drawer.tsx';

vi.setConfig({ testTimeout: 60_000 });
const api = `/api/tenants/${ownTenant}/soar`;
const LIST = `GET ${api}/playbooks`;
const START = `POST ${api}/playbook_activity`;
const RUNS = `GET ${api}/playbook_activity`;

type Wanted = { playbooks?: Playbook[]; answers?: Given['answers'] };

function list(at = '/playbooks/', { playbooks = [playbook(1), playbook(2)], answers = {} }: Wanted = {}) {
  const sent: unknown[] = [];
  const begun = playbookRun(3, { summary: { status: 'running', time_finished: null } });
  const app = showApp(at, {
    answers: {
      [LIST]: () => Response.json(playbooks),
      [`${LIST}/${playbookId(1)}`]: () => Response.json(playbooks[0]),
      [`GET ${api}/available_actions`]: () => Response.json([]),
      [RUNS]: () => Response.json([{ summary: playbookRun(1).summary }]),
      [START]: ({ body }) => {
        sent.push(['run', body]);
        return Response.json(begun, { status: 202 });
      },
      [`POST ${api}/playbooks/${playbookId(1)}/dry_run`]: ({ body }) => {
        sent.push(['try', body]);
        return Response.json(begun, { status: 202 });
      },
      [`${RUNS}/${runId(3)}`]: () => Response.json(begun),
      ...answers,
    },
  });
  return { ...app, sent };
}

const rows = () => screen.queryAllByRole('row').slice(1);
const drawer = () => screen.findByRole('dialog');
const inRunPart = async () => within(await within(await drawer()).findByRole('tabpanel', { name: 'Run' }));

test('Read Only has no business there', async () => {
  expect((await visit('/playbooks/', { me: userWith({ own: 'ReadOnly' }) })).at).toBe('/unauthorized');
});

test('each playbook tells how its runs went, in words too, and whether it is a draft', async () => {
  const draft = playbook(2, {
    version: 0,
    figures: { last_runs: [], runs_30d: 0, success_rate: null, median_duration_s: null },
  });
  list('/playbooks/', { playbooks: [playbook(1), draft] });
  await screen.findByRole('img', { name: 'Last 2 runs: 1 error, 1 success. The newest: error' });
  const [first, second] = rows().map(({ textContent }) => textContent);
  expect(first).toMatch(/Playbook 1.*50 %.*2\.5 s.*v2/);
  expect(second).toMatch(/No run yet.*Draft/);
});

test('what one types, and the order, are in the address', async () => {
  const { at } = list();
  await screen.findByText('Playbook 2');
  fireEvent.click(screen.getByRole('button', { name: 'Playbook' }));
  await waitFor(() => expect(rows()[0]?.textContent).toContain('Playbook 2'));
  expect(at()).toContain('sort=-name');
  fireEvent.change(screen.getByRole('searchbox', { name: 'Search playbooks' }), { target: { value: 'Playbook 1' } });
  await waitFor(() => expect(rows()).toHaveLength(1));
  expect(at()).toContain('q=Playbook');
});

test('where nothing is, the way to the first one stands; where nothing matches, the way back', async () => {
  const { leave } = list('/playbooks/', { playbooks: [] });
  await screen.findByText('No playbooks yet');
  expect(screen.getAllByRole('link', { name: 'New playbook' })[0]?.getAttribute('href')).toBe('/playbooks/new');
  leave();
  list('/playbooks/?q=nothing');
  fireEvent.click(await screen.findByRole('button', { name: 'Clear filters' }));
  await waitFor(() => expect(rows()).toHaveLength(2));
});

test('a list that does not load says so and can be asked for again', async () => {
  let broken = true;
  list('/playbooks/', {
    answers: { [LIST]: () => (broken ? failure(400, 'VALIDATION_FAILED') : Response.json([playbook(1)])) },
  });
  await screen.findByText('Unable to load playbooks.');
  broken = false;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(rows()).toHaveLength(1));
});

test('one opens beside the list; the part that shows is in the address', async () => {
  const { at } = list();
  fireEvent.click(await screen.findByText('Playbook 1'));
  expect((await drawer()).textContent).toContain('2 steps');
  expect(at()).toContain(`action=${playbookId(1)}`);
  fireEvent.click(within(await drawer()).getByRole('tab', { name: 'Recent runs' }));
  const run = await within(await drawer()).findByRole('link', { name: /Success/ });
  expect(run.getAttribute('href')).toBe(`/activity/playbooks/${runId(1)}`);
  expect(at()).toContain('settings=runs');
  fireEvent.click(within(await drawer()).getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(at()).not.toContain('action='));
  expect(at()).not.toContain('settings=');
});

test('without its input nothing starts; with it a run begins, shows how far it is and where it is', async () => {
  const asked = playbookRun(3, {
    summary: {
      status: 'waiting',
      time_finished: null,
      actions_summary: [step('lookup'), step('approve', { kind: 'prompt', status: 'running', time_finished: null })],
    },
  });
  const { sent } = list(`/playbooks/?action=${playbookId(1)}&settings=run`, {
    answers: { [`${RUNS}/${runId(3)}`]: () => Response.json(asked) },
  });
  const part = await inRunPart();
  const field = await part.findByLabelText(/^Address/);
  fireEvent.click(part.getByRole('button', { name: 'Run' }));
  await waitFor(() => expect(document.activeElement).toBe(field));
  expect(sent).toEqual([]);
  fireEvent.change(field, { target: { value: '192.0.2.7' } });
  fireEvent.click(part.getByRole('button', { name: 'Run' }));
  const run = within(await part.findByRole('region', { name: 'The run' }));
  expect(sent).toEqual([['run', { playbook_id: playbookId(1), inputs: { ip: '192.0.2.7' } }]]);
  await run.findByText('1 of 2 actions have ended');
  expect(run.getByRole('link', { name: 'Open the run' }).getAttribute('href')).toBe(`/activity/playbooks/${runId(3)}`);
});

test('a try goes to the route that calls nothing that changes', async () => {
  const { sent } = list(`/playbooks/?action=${playbookId(1)}&settings=run`);
  const part = await inRunPart();
  fireEvent.change(await part.findByLabelText(/^Address/), { target: { value: '192.0.2.7' } });
  fireEvent.click(part.getByRole('button', { name: 'Try' }));
  await part.findByRole('region', { name: 'The run' });
  expect(sent).toEqual([['try', { inputs: { ip: '192.0.2.7' } }]]);
});

test('a draft cannot be started, and says why', async () => {
  const { sent } = list(`/playbooks/?action=${playbookId(1)}&settings=run`, {
    playbooks: [playbook(1, { version: 0, inputs: {} })],
  });
  const part = await inRunPart();
  const run = await part.findByRole('button', { name: 'Run' });
  expect(run.getAttribute('aria-description')).toContain('still a draft');
  fireEvent.click(run);
  expect(sent).toEqual([]);
});

test('what the server says about an input stands beside it, other refusals above the buttons', async () => {
  const refusals = [
    Response.json(
      {
        message: 'The inputs do not fit.',
        code: 'VALIDATION_FAILED',
        request_id: 'r',
        details: [{ path: 'inputs.ip', message: 'must be an address of the Internet' }],
      },
      { status: 400 },
    ),
    failure(409, 'PLAYBOOK_NOT_PUBLISHED', 'This playbook is a draft. Publish it first.'),
  ];
  list(`/playbooks/?action=${playbookId(1)}&settings=run`, {
    answers: { [START]: () => refusals.shift() ?? failure(500, 'INTERNAL') },
  });
  const part = await inRunPart();
  const field = await part.findByLabelText(/^Address/);
  fireEvent.change(field, { target: { value: 'not one' } });
  fireEvent.click(part.getByRole('button', { name: 'Run' }));
  await waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'));
  fireEvent.change(field, { target: { value: '192.0.2.7' } });
  fireEvent.click(part.getByRole('button', { name: 'Run' }));
  expect((await part.findByRole('alert')).textContent).toContain('Publish it first');
});

test('YAML is read before anything is stored; its problems are named, and it opens as a draft', async () => {
  const stored: unknown[] = [];
  const definition = { ...playbook(1), metadata: { ...playbook(1).metadata, name: 'Brought along' } };
  const answers: Given['answers'] = {
    [`POST ${api}/playbooks/import`]: () =>
      Response.json({
        definition,
        problems: [
          { path: 'actions.0.action', code: 'ACTION_UNKNOWN', message: 'There is no such action.', action_id: null },
        ],
      }),
    [`POST ${api}/playbooks`]: ({ body }) => {
      stored.push(body);
      return failure(400, 'VALIDATION_FAILED', 'Not like this.');
    },
  };
  list('/playbooks/', { answers });
  fireEvent.click(await screen.findByRole('button', { name: 'Import YAML' }));
  const dialog = within(await drawer());
  fireEvent.change(await dialog.findByLabelText('YAML'), { target: { value: 'metadata: {}' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Check' }));
  await dialog.findByText('There is no such action.');
  expect(dialog.getByText('Brought along')).toBeTruthy();
  expect(stored).toEqual([]);
  fireEvent.click(dialog.getByRole('button', { name: 'Open in the builder' }));
  expect((await dialog.findByRole('alert')).textContent).toContain('Not like this.');
  expect(stored).toHaveLength(1);
});

test('a text that is no playbook cannot be opened', async () => {
  const problems = [{ path: '', code: 'YAML_INVALID', message: 'Line 3: a colon is missing.', action_id: null }];
  list('/playbooks/', {
    answers: { [`POST ${api}/playbooks/import`]: () => Response.json({ definition: null, problems }) },
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Import YAML' }));
  const dialog = within(await drawer());
  fireEvent.change(await dialog.findByLabelText('YAML'), { target: { value: 'x' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Check' }));
  await dialog.findByText('Line 3: a colon is missing.');
  expect(dialog.queryByRole('button', { name: 'Open in the builder' })).toBeNull();
});

import type { ActionActivity } from '@airdeck/contracts/activity/schema';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { ownTenant, userWith } from '../../session/fixtures.ts';
import { failure, type Given, showApp } from '../../test-app.tsx';
import { action, actionRun } from '../actions/action-fixtures.ts';
// Loaded with the file, or the first test would wait for it.
import './action-panel.tsx';

vi.setConfig({ testTimeout: 60_000 });
const api = `/api/tenants/${ownTenant}`;
const RUNS = `GET ${api}/soar/actions_activity`;
const idOf = (number: number) => actionRun(number).details.context.action_uuid;
const caseId = '01920000-0000-7000-8000-000000000901';
const runId = '01920000-0000-7000-8000-000000000902';

beforeEach(() => {
  // jsdom has none; the button loads more.
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      observe = () => undefined;
      disconnect = () => undefined;
    },
  );
});

function activity(of: ActionActivity[], given: Given = {}, at = '/activity/actions') {
  const queries: string[] = [];
  const app = showApp(at, {
    ...given,
    answers: {
      [`GET ${api}/soar/available_actions`]: () =>
        Response.json([action('fortigate.block_address', { friendly_name: 'Block address' })]),
      [RUNS]: ({ url }) => {
        queries.push(url.search);
        return Response.json(url.searchParams.get('page') === '1' ? of : []);
      },
      ...Object.fromEntries(of.map((run) => [`${RUNS}/${run.details.context.action_uuid}`, () => Response.json(run)])),
      ...given.answers,
    },
  });
  return { ...app, queries };
}
const panelOf = (number: number) => `/activity/actions?action=${idOf(number)}`;
const panel = () => screen.findByRole('dialog');
const context = (number: number, fields: Partial<ActionActivity['details']['context']>) => ({
  context: { ...actionRun(number).details.context, ...fields },
});
const failed = (number: number) =>
  actionRun(number, {
    summary: { status: 'error' },
    details: { error_info: { code: 'VENDOR_RATE_LIMITED', message: 'Too many requests.', retryable: true } },
  });

test('filters of the address are asked for in the words of the route', async () => {
  const filters = encodeURIComponent(JSON.stringify({ status: ['error', 'running'], type: ['standalone'] }));
  const { queries } = activity([actionRun(1)], {}, `/activity/actions?q=block&filters=${filters}`);
  await screen.findByText('Block address');
  const query = new URLSearchParams(queries[0]);
  expect(Object.fromEntries(query)).toEqual({ q: 'block', status: 'running,error', type: 'standalone', page: '1' });
});

test('filters as the specification writes them hold, and one press takes them away for good', async () => {
  const address = '/activity/actions?filters.status=error&filters.type=standalone';
  const { queries, at } = activity([actionRun(1)], {}, address);
  await screen.findByText('Block address');
  const query = new URLSearchParams(queries[0]);
  expect(Object.fromEntries(query)).toEqual({ status: 'error', type: 'standalone', page: '1' });
  fireEvent.click(screen.getByRole('button', { name: 'Clear' }));
  await waitFor(() => expect(queries.at(-1)).toBe('?page=1'));
  expect(at()).toBe('/activity/actions');
});

test('pages come one after the other until one is empty', async () => {
  const { queries } = activity([actionRun(1), actionRun(2)]);
  expect(await screen.findByText(/2 actions so far/)).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Load more' }));
  expect(await screen.findByText(/2 actions ·/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull();
  expect(queries.map((query) => new URLSearchParams(query).get('page'))).toEqual(['1', '2']);
});

test('a list that does not load says so; an empty one leads to the catalogue', async () => {
  const answers = { [RUNS]: () => failure(400, 'VALIDATION_FAILED') };
  const { leave } = activity([], { answers });
  expect(await screen.findByText('Unable to load Activity list.')).toBeTruthy();
  leave();
  activity([]);
  expect((await screen.findByRole('link', { name: 'Open the action catalog' })).getAttribute('href')).toMatch(
    /^\/actions/,
  );
});

test('a failed run says what went wrong and what to do, with attempts, its case and its run', async () => {
  const run = actionRun(1, {
    summary: { status: 'error', workflow_instance_id: runId, type: 'workflow' },
    details: { ...failed(1).details, ...context(1, { adhoc: false, attempt_count: 3, case_id: caseId }) },
  });
  activity([run], {}, panelOf(1));
  const shown = within(await panel());
  expect(await shown.findByText(/Run it again later/)).toBeTruthy();
  expect(shown.getByText('Attempts').parentElement?.textContent).toBe('Attempts3');
  expect(shown.getByRole('link', { name: 'Open case' }).getAttribute('href')).toBe(`/air/case-management/${caseId}`);
  expect(shown.getByRole('link', { name: 'Open the run' }).getAttribute('href')).toBe(`/activity/playbooks/${runId}`);
  // Its playbook's run is what can be cancelled or begun again.
  expect(shown.queryByRole('button', { name: 'Run once more' })).toBeNull();
});

test('closed, the panel gives the focus back to its row', async () => {
  const { at } = activity([actionRun(1), failed(2)]);
  const row = (await screen.findByText('Too many requests.')).closest('tr') as HTMLElement;
  row.focus();
  fireEvent.keyDown(row, { key: 'Enter' });
  await panel();
  expect(at()).toContain(idOf(2));
  fireEvent.click(within(await panel()).getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(document.activeElement?.textContent).toContain('Too many requests.'));
  expect(at()).not.toContain('action=');
});

test('once more opens the new run', async () => {
  const answers = {
    [`POST ${api}/soar/actions_activity/${idOf(1)}/retry`]: () => Response.json(actionRun(2), { status: 202 }),
    [`${RUNS}/${idOf(2)}`]: () => Response.json(actionRun(2)),
  };
  const { at } = activity([failed(1)], { answers }, panelOf(1));
  fireEvent.click(await within(await panel()).findByRole('button', { name: 'Run once more' }));
  await waitFor(() => expect(at()).toContain(idOf(2)));
  expect(await within(await panel()).findByText('Success')).toBeTruthy();
});

test('what goes on is cancelled after a question, once', async () => {
  const running = actionRun(1, { summary: { status: 'running' } });
  let cancels = 0;
  const answers = {
    [`POST ${api}/soar/actions_activity/${idOf(1)}/cancel`]: () => {
      cancels += 1;
      return Response.json(actionRun(1, { summary: { status: 'cancelled' } }), { status: 202 });
    },
    [`${RUNS}/${idOf(1)}`]: () =>
      Response.json(cancels === 0 ? running : actionRun(1, { summary: { status: 'cancelled' } })),
  };
  activity([running], { answers }, panelOf(1));
  fireEvent.click(await within(await panel()).findByRole('button', { name: 'Cancel' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Cancel action' }));
  await waitFor(() => expect(screen.getAllByRole('dialog')).toHaveLength(1));
  expect(await within(await panel()).findByText('Cancelled')).toBeTruthy();
  expect(cancels).toBe(1);
});

test('Read Only sees runs with their results, and is told why not to run them', async () => {
  const { state } = activity([failed(1)], { me: userWith({ own: 'ReadOnly' }) }, panelOf(1));
  const button = await within(await panel()).findByRole('button', { name: 'Run once more' });
  expect(button.getAttribute('aria-disabled')).toBe('true');
  expect(button.getAttribute('aria-description')).toBe('Your role does not allow this.');
  fireEvent.click(button);
  expect(state.asked.some((call) => call.startsWith('POST'))).toBe(false);
  expect(state.asked).not.toContain(`GET ${api}/soar/available_actions`);
});

test('what was only tried says so, in its row and in the panel', async () => {
  const tried = actionRun(2, { details: context(2, { dry_run: true }) });
  const { leave } = activity([actionRun(1), tried]);
  const names = await screen.findAllByText('Block address');
  const [first, second] = names.map((name) => within(name.closest('tr') as HTMLElement));
  expect(first?.queryByText('Dry run')).toBeNull();
  expect(second?.getByText('Dry run')).toBeTruthy();
  leave();
  activity([tried], {}, panelOf(2));
  expect(await within(await panel()).findByText('Dry run')).toBeTruthy();
});

test('what waits for its time says when, not how long it has been going on', async () => {
  const due = new Date(Date.now() + 3_600_000).toISOString();
  const run = actionRun(1, { summary: { status: 'pending' }, details: context(1, { time_scheduled: due }) });
  activity([run]);
  const row = (await screen.findByText('Block address')).closest('tr');
  expect(row?.textContent).toMatch(/due in (59|60) min|due in 1 h/);
});

test('of a list scrolled far down a refresh reads the first page and what goes on, not all of it', async () => {
  const runs = Array.from({ length: 45 }, (_, index) => actionRun(index + 1));
  const going = actionRun(40, { summary: { status: 'running' } });
  let isOver = false;
  const answers = {
    [RUNS]: ({ url }: { url: URL }) => {
      const page = Number(url.searchParams.get('page'));
      asked.push(`page ${page}`);
      const all = runs.map((run) => (idOf(40) === run.details.context.action_uuid && !isOver ? going : run));
      return Response.json(all.slice((page - 1) * 15, page * 15));
    },
    [`${RUNS}/${idOf(40)}`]: () => {
      asked.push('run 40');
      return Response.json(isOver ? actionRun(40) : going);
    },
  };
  const asked: string[] = [];
  const { app } = activity([], { answers });
  await screen.findByText(/15 actions so far/);
  for (const count of [30, 45]) {
    fireEvent.click(screen.getByRole('button', { name: 'Load more' }));
    await screen.findByText(new RegExp(`^${count} actions`), {});
  }
  expect(await screen.findByText('Running')).toBeTruthy();
  isOver = true;
  asked.length = 0;
  await app.queryClient.invalidateQueries({ queryKey: [ownTenant, 'action-runs'] });
  await waitFor(() => expect(screen.queryByText('Running')).toBeNull());
  expect(asked).toEqual(['page 1', 'run 40']);
  expect(screen.getByText(/^45 actions/)).toBeTruthy();
});

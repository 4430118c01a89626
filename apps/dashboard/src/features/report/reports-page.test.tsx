import type { ReportSchedule, SearchReport } from '@airdeck/contracts/reports/schema';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { overtaken } from '../../components/overtaken-fixture.ts';
import { ownTenant, userWith } from '../../session/fixtures.ts';
import { failure, type Given, showApp } from '../../test-app.tsx';
import { report, reportId, schedule } from './report-fixtures.ts';
// Loaded with the file, or the first test would wait for it.
import './schedule-dialog.tsx';

vi.setConfig({ testTimeout: 60_000 });
const api = `/api/tenants/${ownTenant}/reports/air`;

type Wanted = Pick<Given, 'me' | 'answers'> & { reports?: SearchReport[]; schedules?: ReportSchedule[] };

function open(
  at = '/report/air',
  { reports = [report(2), report(1)], schedules = [], answers = {}, ...given }: Wanted = {},
) {
  return showApp(at, {
    ...given,
    answers: {
      [`GET ${api}`]: () => Response.json(reports),
      [`GET ${api}/schedules`]: () => Response.json(schedules),
      [`GET ${api}/schedules/recipients`]: () => Response.json([]),
      ...answers,
    },
  });
}

const rows = () => screen.queryAllByRole('row').slice(1);
const dialog = () => screen.findByRole('dialog');

test('a bare /report leads to the search reports', async () => {
  open('/report');
  await screen.findByText('Report 1');
});

test('Read Only reads what there is, and is offered nothing else', async () => {
  const me = userWith({ own: 'ReadOnly' });
  open(`/report/air?report=${reportId(1)}`, { me });
  const panel = within(await dialog());
  expect(await panel.findByRole('button', { name: /^Download/ })).toBeTruthy();
  expect(panel.queryAllByRole('button', { name: /Run again|Schedule|Delete/ })).toEqual([]);
  for (const name of ['New schedule', 'Search and export']) expect(screen.queryByRole('link', { name })).toBeNull();
  cleanup();
  open(`/report/air?panel=schedules&schedule=${schedule(1).id}`, { me, schedules: [schedule(1)] });
  await screen.findByText(schedule(1).name, {});
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('each report tells how it stands: how far, how much, what was left out, what went wrong', async () => {
  const unfinished = { finished_at: null, expires_at: null, size_bytes: 0 };
  open('/report/air', {
    reports: [
      report(4, { ...unfinished, status: 'running', row_count: 250, rows_expected: 1_000 }),
      report(3, { cut_by: 'rows', row_count: 1_000_000 }),
      report(2, { status: 'error', failure: 'The search needs too much time or memory.', row_count: 0 }),
      report(1),
    ],
  });
  await screen.findByText('250 of 1,000 events');
  expect(screen.getByRole('progressbar', { name: 'Report 4: events written' }).getAttribute('aria-valuenow')).toBe(
    '25',
  );
  const [running, cut, failed, done] = rows().map(({ textContent }) => textContent);
  expect(running).toContain('Running');
  expect(cut).toMatch(/Older events left out.*1,000,000/);
  expect(failed).toContain('The search needs too much time or memory.');
  expect(done).toMatch(/Success.*1,204.*482 kB.*CSV/);
  expect(screen.getAllByRole('button', { name: /^Download Report/ })).toHaveLength(2);
});

test('a report that the plan cut says so, in the list and beside it', async () => {
  open(`/report/air?report=${reportId(1)}`, { reports: [report(1, { cut_by: 'plan' })] });
  const panel = within(await dialog());
  expect((await panel.findByRole('note')).textContent).toBe(
    'The plan reaches less far back than this time, so older events were left out.',
  );
  expect(panel.getByText('Older events beyond the plan')).toBeTruthy();
});

test('one opens beside the list with what it searched for, and is deleted after a question', async () => {
  const asked: string[] = [];
  const { at } = open('/report/air', {
    answers: {
      [`DELETE ${api}/${reportId(1)}`]: () => {
        asked.push('delete');
        return new Response(null, { status: 204 });
      },
    },
  });
  fireEvent.click(await screen.findByText('Report 1'));
  const panel = within(await dialog());
  expect(panel.getByText('outcome:failure')).toBeTruthy();
  expect(panel.getByRole('link', { name: 'Open in search' }).getAttribute('href')).toContain('outcome');
  expect(at()).toContain(`report=${reportId(1)}`);
  fireEvent.click(panel.getByRole('button', { name: 'Delete' }));
  const ask = (await screen.findByText('Delete Report 1?')).closest('[role="dialog"]');
  expect(asked).toEqual([]);
  fireEvent.click(within(ask as HTMLElement).getByRole('button', { name: 'Delete report' }));
  await waitFor(() => expect(asked).toEqual(['delete']));
});

test('a link to a report further down than the list begins opens it all the same', async () => {
  const asked: (string | null)[] = [];
  const pages = [
    Array.from({ length: 50 }, (_, index) => report(99 - index)),
    Array.from({ length: 40 }, (_, index) => report(49 - index)),
  ];
  open(`/report/air?report=${reportId(12)}`, {
    answers: {
      [`GET ${api}`]: ({ url }) => {
        const before = url.searchParams.get('before');
        asked.push(before);
        return Response.json(pages[before === null ? 0 : 1]);
      },
    },
  });
  expect(await within(await dialog()).findByText('Report 12')).toBeTruthy();
  expect(asked).toEqual([null, reportId(50)]);
});

test('a link to a report that is gone says so, and closes like any other', async () => {
  const { at } = open(`/report/air?report=${reportId(3)}`);
  const panel = within(await dialog());
  await panel.findByText('This report is gone');
  fireEvent.click(panel.getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(at()).not.toContain('report='));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('where nothing is, the way to the first one stands; where it does not load, the way to try again', async () => {
  const { leave } = open('/report/air', { reports: [] });
  await screen.findByText('No search reports yet');
  expect(screen.getAllByRole('link', { name: 'Search and export' })).toHaveLength(1);
  leave();
  const { leave: leaveSchedules } = open('/report/air?panel=schedules', { schedules: [] });
  await screen.findByText('No schedules yet');
  expect(screen.getAllByRole('button', { name: 'New schedule' })).toHaveLength(1);
  expect(screen.queryByRole('link', { name: 'New schedule' })).toBeNull();
  expect(screen.getByRole('link', { name: 'Search and export' })).toBeTruthy();
  leaveSchedules();
  open('/report/air', { answers: { [`GET ${api}`]: () => failure(503, 'STORE_UNAVAILABLE') } });
  await screen.findByText('Unable to load Air report...');
});

test('no button is taken away again once the lists are there', async () => {
  open('/report/air', { reports: [] });
  await screen.findByRole('heading', { name: 'Search reports' });
  expect(screen.queryByText('No search reports yet')).toBeNull();
  expect(screen.queryByRole('link', { name: 'Search and export' })).toBeNull();
  await screen.findByText('No search reports yet');
});

test('a schedule is made with its zone, and says what is missing before it asks the server', async () => {
  const sent: unknown[] = [];
  open('/report/air?panel=schedules', {
    answers: {
      [`POST ${api}/schedules`]: ({ body }) => {
        sent.push(body);
        return Response.json(schedule(1), { status: 201 });
      },
    },
  });
  fireEvent.click(await screen.findByRole('button', { name: 'New schedule' }));
  const form = within(await dialog());
  fireEvent.click(form.getByRole('button', { name: 'Make schedule' }));
  expect(await form.findByText('Enter a name.')).toBeTruthy();
  expect(sent).toEqual([]);
  fireEvent.change(form.getByLabelText('Name'), { target: { value: 'Failed sign-ins' } });
  fireEvent.change(form.getByLabelText('Search'), { target: { value: 'outcome:failure' } });
  fireEvent.change(form.getByLabelText('How often'), { target: { value: 'weekly' } });
  fireEvent.change(form.getByLabelText('Every Monday at'), { target: { value: '06:30' } });
  fireEvent.click(form.getByRole('button', { name: 'Make schedule' }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({
    name: 'Failed sign-ins',
    search: { query: 'outcome:failure', integrations: [], filters: [] },
    period: 'weekly',
    at_minute: 390,
    time_zone: expect.any(String),
  });
});

test('contacts that cannot be read again can still be chosen for a schedule', async () => {
  let isDown = false;
  const { app } = open('/report/air?panel=schedules&schedule=new', {
    answers: {
      [`GET ${api}/schedules/recipients`]: () =>
        isDown
          ? failure(400, 'VALIDATION_FAILED')
          : Response.json([{ id: reportId(9), name: 'Ana Souza', email: 'ana@example.com' }]),
    },
  });
  const form = within(await dialog());
  await form.findByText(/They get a mail with a link.*who has no account of this tenant cannot open it\./);
  await waitFor(() => expect(app.queryClient.isFetching()).toBe(0));
  isDown = true;
  await act(async () => {
    await app.queryClient.invalidateQueries({ queryKey: [ownTenant, 'search-reports', 'recipients'] });
    await new Promise((resolve) => setTimeout(resolve));
  });
  expect(form.getByText(/They get a mail with a link/)).toBeTruthy();
});

test('a schedule that is being made is made once, also when somebody types on', async () => {
  const sent: unknown[] = [];
  let answer: () => void = () => undefined;
  open('/report/air?panel=schedules&schedule=new', {
    answers: {
      [`POST ${api}/schedules`]: ({ body }) => {
        sent.push(body);
        return new Promise((resolve) => {
          answer = () => resolve(Response.json(schedule(1), { status: 201 }));
        });
      },
    },
  });
  const form = within(await dialog());
  fireEvent.change(form.getByLabelText('Name'), { target: { value: 'Failed sign-ins' } });
  const make = form.getByRole('button', { name: 'Make schedule' });
  fireEvent.click(make);
  await waitFor(() => expect(sent).toHaveLength(1));
  fireEvent.change(form.getByLabelText('Name'), { target: { value: 'Failed sign-ins!' } });
  fireEvent.click(make);
  answer();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent).toHaveLength(1);
});

test('a schedule takes what a search has: sources, filters, a longer time; each can be changed later', async () => {
  const sent: unknown[] = [];
  const filters = [
    { field: 'port', op: 'gt', value: 1000 },
    { field: 'user', op: 'is', value: 'root' },
  ] as const;
  const before = { integrations: ['okta'], query: '', filters: [...filters] };
  open(`/report/air?panel=schedules&schedule=${schedule(1).id}`, {
    schedules: [schedule(1, { search: before, covers_days: 14 })],
    answers: {
      [`GET /api/tenants/${ownTenant}/search/integrations`]: () =>
        Response.json([
          { integration: 'sshd', event_type: 'authentication', events: 9, last_event_at: '2026-11-21T10:00:00.000Z' },
        ]),
      [`GET /api/tenants/${ownTenant}/connectors`]: () => Response.json([]),
      [`PUT ${api}/schedules/${schedule(1).id}`]: ({ body }) => {
        sent.push(body);
        return Response.json(schedule(1));
      },
    },
  });
  const form = within(await dialog());
  expect(form.getByLabelText<HTMLSelectElement>('Events of').selectedOptions[0]?.text).toBe(
    'the 14 days before it is made',
  );
  fireEvent.change(form.getByLabelText('Events of'), { target: { value: '30' } });
  fireEvent.click(form.getByRole('button', { name: 'Remove user is root' }));
  fireEvent.click(form.getByRole('button', { name: 'Sources: okta' }));
  fireEvent.click(await screen.findByRole('checkbox', { name: 'sshd authentication' }));
  fireEvent.click(form.getByRole('button', { name: 'Add filter' }));
  const ask = within((await screen.findByLabelText('Condition')).closest('[role="dialog"]') as HTMLElement);
  fireEvent.change(ask.getByRole('combobox', { name: 'Field' }), { target: { value: 'host' } });
  fireEvent.change(ask.getByLabelText('Value'), { target: { value: 'web-1' } });
  fireEvent.click(ask.getByRole('button', { name: 'Add filter' }));
  await form.findByRole('button', { name: 'host is web-1' });
  expect(sent).toEqual([]);
  fireEvent.click(form.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({
    covers_days: 30,
    search: {
      integrations: ['okta', 'sshd:authentication'],
      query: '',
      filters: [
        { field: 'port', op: 'gt', value: '1000' },
        { field: 'host', op: 'is', value: 'web-1' },
      ],
    },
  });
});

test('a schedule that somebody else changed is not overwritten by pressing save again', async () => {
  const sent: { updated_at: string; name: string }[] = [];
  let stored = schedule(1);
  open(`/report/air?panel=schedules&schedule=${stored.id}`, {
    answers: {
      [`GET ${api}/schedules`]: () => Response.json([stored]),
      [`PUT ${api}/schedules/${stored.id}`]: ({ body }) => {
        const change = body as (typeof sent)[number];
        sent.push(change);
        return change.updated_at === stored.updated_at
          ? Response.json(stored)
          : overtaken('body.updated_at', 'Somebody else changed this.');
      },
    },
  });
  const form = within(await dialog());
  const theirs = {
    ...stored,
    updated_at: new Date(Date.parse(stored.updated_at) + 60_000).toISOString(),
    enabled: false,
  };
  const mine = stored.updated_at;
  stored = theirs;
  fireEvent.change(form.getByRole('textbox', { name: 'Name' }), { target: { value: 'My name for it' } });
  fireEvent.click(form.getByRole('button', { name: 'Save' }));
  const again = await form.findByRole('button', { name: /Load it again/ });
  fireEvent.click(form.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(sent.map(({ updated_at }) => updated_at)).toEqual([mine, mine]));
  fireEvent.click(await form.findByRole('button', { name: /Load it again/ }));
  expect(again).toBeTruthy();
  fireEvent.click(form.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(sent).toHaveLength(3));
  expect(sent[2]).toMatchObject({ updated_at: theirs.updated_at, name: 'My name for it', enabled: false });
});

test('changing a schedule keeps the rest of its search and names the state it was made from', async () => {
  const sent: unknown[] = [];
  open(`/report/air?panel=schedules&schedule=${schedule(1).id}`, {
    schedules: [schedule(1)],
    answers: {
      [`PUT ${api}/schedules/${schedule(1).id}`]: ({ body }) => {
        sent.push(body);
        return failure(409, 'CONFLICT');
      },
    },
  });
  const form = within(await dialog());
  expect(form.getByText('sshd')).toBeTruthy();
  const current = screen
    .getAllByRole('link', { hidden: true })
    .filter((each) => each.getAttribute('aria-current') === 'page');
  expect(current.map(({ textContent }) => textContent)).toContain('Schedules');
  expect(current.map(({ textContent }) => textContent)).not.toContain('Reports');
  fireEvent.click(form.getByRole('switch', { name: 'Switched on' }));
  fireEvent.click(form.getByRole('button', { name: 'Save' }));
  await form.findByRole('alert');
  expect(sent).toEqual([
    expect.objectContaining({
      enabled: false,
      search: { integrations: ['sshd'], query: 'outcome:failure', filters: [] },
      updated_at: '2026-11-20T06:00:00.000Z',
    }),
  ]);
});

import type { SearchBody } from '@airdeck/contracts/search/schema';
import { EditorView } from '@codemirror/view';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeAll, expect, test, vi } from 'vitest';
import { otherTenant, ownTenant, userWith } from '../../session/fixtures.ts';
import { failure, visit } from '../../test-app.tsx';
import { action, connector } from '../actions/action-fixtures.ts';
import { foundEvent, searchAnswer } from './search-fixtures.ts';
import { api, drawer, drawRows, RUN, row, search, typeQuery } from './search-screen-fixture.ts';
// Loaded with the file, or the first test would wait for them.
import './event-panel.tsx';
import './query-editor.ts';
import '../../components/value-actions/run-action-dialog.tsx';

vi.setConfig({ testTimeout: 60_000 });
beforeAll(drawRows);

test('a lower role and a plan without search have no business there', async () => {
  expect((await visit('/search/', { me: userWith({ own: 'ReadOnly' }) })).at).toBe('/unauthorized');
  const small = userWith({ other: 'Analyst' });
  const inSmallPlan = await visit('/search/', { me: { ...small, user: { ...small.user, tenant: otherTenant } } });
  expect(inSmallPlan.at).toBe('/not-enabled');
});

test('what the address says is what is asked, without the filters that are switched off', async () => {
  const filters = [
    { field: 'user', op: 'is', value: 'root' },
    { field: 'host', op: 'exists', off: true },
  ];
  const range = { start: '2026-11-20T00:00:00.000Z', end: '2026-11-21T00:00:00.000Z' };
  const { asked } = search(
    `/search/?integrations=["sshd:authentication"]&query=failed&filters=${JSON.stringify(filters)}&timeRange=${JSON.stringify(range)}`,
  );
  await row('Event 2');
  expect(asked).toEqual([
    {
      integrations: ['sshd:authentication'],
      query: 'failed',
      filters: [{ field: 'user', op: 'is', value: 'root' }],
      time_range: range,
      sort: 'newest',
      limit: 200,
    },
  ]);
  expect(screen.getByRole('button', { name: /^Off:\s*host exists$/ })).toBeDefined();
});

test('the order is turned round at the head of the times, stands in the address, and what follows is newer', async () => {
  const { asked, at } = search();
  await row('Event 2');
  const head = () => screen.getByRole('columnheader', { name: 'Time' });
  expect(head().getAttribute('aria-sort')).toBe('descending');
  fireEvent.click(within(head()).getByRole('button'));
  await waitFor(() => expect(asked.at(-1)?.sort).toBe('oldest'));
  expect(at()).toContain('sort=oldest');
  expect(head().getAttribute('aria-sort')).toBe('ascending');
  fireEvent.click(await row('Event 2'));
  const panel = within(await drawer());
  expect(panel.getByRole('button', { name: 'Newer event (j)' })).toBeDefined();
});

test('of a thousand events only the rows in sight are drawn, and others where one scrolls to', async () => {
  const many = Array.from({ length: 1_000 }, (_, index) => foundEvent(1_000 - index));
  search('/search/', { [RUN]: () => Response.json(searchAnswer(many)) });
  await row('Event 1000');
  const table = screen.getByRole('table', { name: 'Events' });
  expect(table.getAttribute('aria-rowcount')).toBe('1001');
  const drawn = () => within(table).getAllByRole('row').length - 1;
  expect(drawn()).toBeGreaterThanOrEqual(600 / 36);
  expect(drawn()).toBeLessThan(60);
  expect(screen.queryByText('Event 500')).toBeNull();

  const scroller = table.parentElement;
  if (scroller === null) throw new Error('The table scrolls in something.');
  scroller.scrollTop = 500 * 36;
  fireEvent.scroll(scroller);
  await row('Event 500');
  expect(drawn()).toBeLessThan(60);
  expect(screen.queryByText('Event 1000')).toBeNull();
});

test('a field is shown as a column, moved, and taken away again; the address holds which', async () => {
  const { at } = search();
  await row('Event 2');
  const heads = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent?.trim());
  const initial = ['Time', 'integration', 'host', 'user', 'message'];
  expect(heads()).toEqual(initial);
  const cells = () => [...document.querySelectorAll('td[data-name="port"]')].map(({ textContent }) => textContent);
  expect(cells()).toEqual([]);

  fireEvent.click(await screen.findByRole('button', { name: 'Column port', pressed: false }));
  await waitFor(() => expect(heads()).toEqual([...initial, 'port']));
  expect(cells()).toEqual(['4711', '4711']);
  await screen.findByRole('button', { name: 'Column port', pressed: true });
  expect(decodeURIComponent(at())).toContain('columns=["integration","host","user","message","port"]');

  const choose = async (name: string) => {
    fireEvent.click(within(screen.getByRole('columnheader', { name: 'port' })).getByRole('button'));
    fireEvent.click(await screen.findByRole('menuitem', { name }));
  };
  await choose('Move left');
  await waitFor(() => expect(heads()).toEqual([...initial.slice(0, -1), 'port', 'message']));
  await choose('Remove column');
  await waitFor(() => expect(heads()).toEqual(initial));
  expect(cells()).toEqual([]);
  expect(at()).not.toContain('columns=');
});

test('the query is a plain field until it is used; what was typed by then and where stays', async () => {
  search('/search/?query=failed');
  await row('Event 2');
  expect(document.querySelector('.cm-content')).toBeNull();
  const plain = screen.getByRole<HTMLInputElement>('textbox', { name: 'Query' });
  plain.focus();
  fireEvent.change(plain, { target: { value: 'failed login' } });
  plain.setSelectionRange(6, 6);
  await waitFor(() => {
    const editor = EditorView.findFromDOM(document.querySelector<HTMLElement>('.cm-editor') ?? document.body);
    expect([editor?.state.doc.toString(), editor?.state.selection.main.head, editor?.hasFocus]).toEqual([
      'failed login',
      6,
      true,
    ]);
  });
});

test('a query is searched with Enter, and stands in the address', async () => {
  const { asked, at } = search();
  await row('Event 2');
  fireEvent.keyDown(await typeQuery('user:root'), { key: 'Enter' });
  await waitFor(() => expect(asked.at(-1)?.query).toBe('user:root'));
  expect(at()).toContain('query=user');
});

test('a query that cannot be read is not sent: its place, the reason and the way out are shown', async () => {
  const { asked } = search('/search/?query=%28failed');
  const note = await screen.findByRole('alert');
  expect(note.textContent).toMatch(/Character 1.*This bracket is never closed/);
  expect(asked).toEqual([]);
  fireEvent.keyDown(await typeQuery('failed'), { key: 'Enter' });
  await row('Event 2');
  expect(screen.queryByRole('alert')).toBeNull();
});

test('what only the server knows to be wrong is shown at its place, too, and put right in one step', async () => {
  const queries: string[] = [];
  search('/search/?query=user:/(a/', {
    [RUN]: ({ body }) => {
      const { query } = body as SearchBody;
      queries.push(query);
      if (query === 'user:a') return Response.json(searchAnswer([foundEvent(2)]));
      const details = [
        { path: 'query', message: 'Not a pattern.', start: 5, end: 9, suggestion: 'Close it.', fix: 'user:a' },
      ];
      return Response.json({ message: 'No.', code: 'QUERY_INVALID', request_id: 'r', details }, { status: 400 });
    },
  });
  const note = await screen.findByRole('alert');
  expect(note.textContent).toContain('Character 6: /(a/Not a pattern. Close it.');
  fireEvent.click(within(note).getByRole('button'));
  await row('Event 2');
  expect(queries.at(-1)).toBe('user:a');
});

test('a value in the sidebar narrows; its chip is turned round, switched off and taken away', async () => {
  const { asked } = search();
  await row('Event 2');
  fireEvent.click(await screen.findByRole('button', { name: /^user\s*\d/ }));
  fireEvent.click(screen.getByRole('button', { name: 'Only user alice' }));
  const only = { field: 'user', op: 'is', value: 'alice' };
  await waitFor(() => expect(asked.at(-1)?.filters).toEqual([only]));
  const chip = (name: string) => screen.findByRole('button', { name });
  fireEvent.click(await chip('user is alice'));
  fireEvent.click(await screen.findByRole('menuitem', { name: /^Turn round/ }));
  await waitFor(() => expect(asked.at(-1)?.filters).toEqual([{ ...only, op: 'is_not' }]));
  fireEvent.click(await chip('user is not alice'));
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Switch off' }));
  await waitFor(() => expect(asked.at(-1)?.filters).toEqual([]));
  fireEvent.click(await chip('Remove user is not alice'));
  await waitFor(() => expect(screen.queryByText('user is not alice')).toBeNull());
});

test('a stretch of the histogram is chosen by keyboard, and the search narrows to it', async () => {
  const { asked, at } = search();
  await row('Event 2');
  const slider = screen.getByRole('slider', { name: /^Stretch of time/ });
  // Three bars from 9:00; the newest is chosen first.
  fireEvent.keyDown(slider, { key: 'ArrowLeft' });
  fireEvent.keyDown(slider, { key: 'ArrowLeft', shiftKey: true });
  expect(slider.getAttribute('aria-valuetext')).toMatch(/2 events$/);
  fireEvent.keyDown(slider, { key: 'Enter' });
  const range = { start: '2026-11-21T09:00:00.000Z', end: '2026-11-21T11:00:00.000Z' };
  await waitFor(() => expect(asked.at(-1)?.time_range).toEqual(range));
  expect(at()).toContain('2026-11-21T09');
});

test('an event opens beside the list, leads to its neighbour, and from its values on', async () => {
  const { asked, at } = search();
  fireEvent.click(await row('Event 2'));
  await within(await drawer()).findByText('Event 2');
  expect(at()).toContain(`event=${foundEvent(2).id}`);
  fireEvent.keyDown(document.body, { key: 'j' });
  const panel = within(await drawer());
  await panel.findByText('Event 1');
  fireEvent.click(panel.getByRole('button', { name: 'What to do with user alice' }));
  const cases = await screen.findByRole('menuitem', { name: 'Cases with this value' });
  expect(cases.getAttribute('href')).toBe('/air/case-management?q=alice');
  fireEvent.click(screen.getByRole('menuitem', { name: 'Not this value' }));
  await waitFor(() => expect(asked.at(-1)?.filters).toEqual([{ field: 'user', op: 'is_not', value: 'alice' }]));
  expect(at()).not.toContain('event=');
});

test('what stands over an event keeps its keys', async () => {
  const { at } = search();
  fireEvent.click(await row('Event 2'));
  const panel = await drawer();
  const over = document.createElement('div');
  over.setAttribute('role', 'dialog');
  over.setAttribute('aria-modal', 'true');
  const button = over.appendChild(document.createElement('button'));
  document.body.append(over);
  for (const target of [button, document.body]) fireEvent.keyDown(target, { key: 'j' });
  over.remove();
  expect(at()).toContain(`event=${foundEvent(2).id}`);
  fireEvent.keyDown(within(panel).getByRole('button', { name: 'Close' }), { key: 'j' });
  await within(panel).findByText('Event 1');
});

test('with single-key shortcuts switched off, j, k and / do nothing', async () => {
  document.documentElement.dataset.singleKeys = 'off';
  const { at } = search();
  const found = await row('Event 2');
  for (const key of ['j', '/']) fireEvent.keyDown(document.body, { key });
  expect(document.activeElement).toBe(document.body);
  fireEvent.click(found);
  await drawer();
  fireEvent.keyDown(document.body, { key: 'j' });
  expect(at()).toContain(`event=${foundEvent(2).id}`);
  delete document.documentElement.dataset.singleKeys;
  fireEvent.keyDown(document.body, { key: 'j' });
  await waitFor(() => expect(at()).toContain(`event=${foundEvent(1).id}`));
});

test('a value leads to a policy about it, and to the actions that take it', async () => {
  const connectors = [connector(1)];
  const { at } = search(`/search/?event=${foundEvent(2).id}`, {
    [`GET /api/tenants/${ownTenant}/soar/available_actions`]: () =>
      Response.json([
        action('fortigate.block_address', { friendly_name: 'Block address' }),
        action('okta.suspend_user', {
          friendly_name: 'Suspend user',
          input_schema: { type: 'object', properties: { user: { type: 'string' } } },
        }),
      ]),
    [`GET /api/tenants/${ownTenant}/connectors`]: () => Response.json(connectors),
  });
  const panel = within(await drawer());
  const pivotsOf = async (value: string) =>
    fireEvent.click(await panel.findByRole('button', { name: `What to do with ${value}` }));
  await pivotsOf(`_id ${foundEvent(2).id}`);
  await screen.findByRole('menuitem', { name: 'Search this value everywhere' });
  expect(screen.queryByRole('menuitem', { name: /policy|action/ })).toBeNull();

  await pivotsOf('src_ip 192.0.2.7');
  const policy = await screen.findByRole('menuitem', { name: 'New policy with this value' });
  const { pathname, searchParams } = new URL(policy.getAttribute('href') ?? '', 'http://here.example');
  expect(pathname).toBe('/air/policy-management/new');
  expect(JSON.parse(searchParams.get('criterion') ?? '')).toEqual({ field: 'src_ip', value: '192.0.2.7' });
  expect(searchParams.get('source')).toBe('sshd:authentication');

  fireEvent.click(screen.getByRole('menuitem', { name: 'Run an action on it…' }));
  const list = within(await screen.findByRole('list', { name: 'Actions' }));
  expect(list.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([expect.stringMatching(/^Block/)]);
  fireEvent.click(list.getByRole('link'));
  const field = await screen.findByLabelText<HTMLInputElement>(/^Address/);
  expect(field.value).toBe('192.0.2.7');
  expect(at()).toMatch(/^\/actions\/?\?action=fortigate.block_address/);
});

test('an event says when it came, how far its own time is off, and which cases it belongs to', async () => {
  const skewed = foundEvent(3, {
    source_id: '01920000-0000-7000-8000-000000000401',
    received_at: new Date(Date.parse(foundEvent(3).time) - 2 * 3_600_000).toISOString(),
  });
  const caseId = '01920000-0000-7000-8000-000000000901';
  search(`/search/?event=${skewed.id}`, {
    [RUN]: () => Response.json(searchAnswer([skewed])),
    [`GET /api/tenants/${ownTenant}/case/of_event`]: () =>
      Response.json([
        { id: caseId, reference: 'CASE-7', alert_name: 'Guessing', alert_severity: 'high', alert_status: 'open' },
      ]),
  });
  const panel = within(await drawer());
  await panel.findByText(/its own time is 2 h later/);
  const link = await panel.findByRole('link', { name: 'CASE-7 Guessing' });
  expect(link.getAttribute('href')).toBe(`/air/case-management/${caseId}`);
});

test('an event that is pinned stays first, whatever is searched next', async () => {
  search('/search/', {
    [RUN]: ({ body }) => {
      const { query } = body as SearchBody;
      return Response.json(searchAnswer(query === '' ? [foundEvent(2), foundEvent(1)] : [foundEvent(5)]));
    },
  });
  const rowOf = async (text: string) => (await row(text)).closest('tr') ?? document.body;
  fireEvent.keyDown(await rowOf('Event 1'), { key: 'x' });
  await waitFor(async () => expect((await rowOf('Event 1')).getAttribute('aria-rowindex')).toBe('2'));
  fireEvent.keyDown(await typeQuery('other'), { key: 'Enter' });
  expect((await rowOf('Event 5')).getAttribute('aria-rowindex')).toBe('3');
  fireEvent.keyDown(await rowOf('Event 1'), { key: 'x' });
  await waitFor(() => expect(screen.queryByText('Event 1')).toBeNull());
});

test('an event of a link that is not in the list is asked for by itself', async () => {
  const far = foundEvent(900, { message: 'Far away' });
  search(`/search/?event=${far.id}`, { [`GET ${api}/events/${far.id}`]: () => Response.json(far) });
  await within(await drawer()).findByText('Far away');
});

test('a saved search brings everything back as it was saved', async () => {
  const { asked, at } = search('/search/?query=other&filters=[{"field":"a","op":"exists"}]');
  fireEvent.click(await screen.findByRole('button', { name: 'Saved searches' }));
  fireEvent.click(await screen.findByRole('button', { name: /^Failed logins/ }));
  await waitFor(() =>
    expect(asked.at(-1)).toMatchObject({
      integrations: ['sshd'],
      query: 'outcome:failure',
      filters: [{ field: 'port', op: 'gt', value: '1000' }],
      sort: 'oldest',
    }),
  );
  expect(decodeURIComponent(at())).toContain('"start":"now-7d"');
  // It is somebody else's, and nothing was changed.
  expect(await screen.findByRole('button', { name: 'Failed logins' })).toBeDefined();
});

test('a range that ends before it begins is refused in words, and nothing is asked', async () => {
  const { asked } = search('/search/?timeRange={"start":"now","end":"now-1h"}');
  await screen.findByText(/ends before it begins/);
  expect(asked).toEqual([]);
});

test('what an answer leaves out is said: a shorter plan, a vendor that did not answer', async () => {
  search('/search/', {
    [RUN]: () => {
      const answer = searchAnswer([foundEvent(1)]);
      const connector_id = '01920000-0000-7000-8000-000000000301';
      const graylog = {
        connector_id,
        name: 'Graylog HQ',
        state: 'failed',
        message: 'It timed out.',
        found: 0,
        took_ms: 9,
      };
      return Response.json({
        ...answer,
        time_range: { ...answer.time_range, clipped: true },
        partial: true,
        sources: [graylog],
      });
    },
  });
  await screen.findByText(/The plan reaches 30 days back/);
  expect(screen.getByText(/Graylog HQ, searched live, did not answer: It timed out\./)).toBeDefined();
});

test('a failure is a failure, never an empty list', async () => {
  search('/search/', { [RUN]: () => failure(403, 'FORBIDDEN', 'Not now.') });
  await screen.findByText(/Unable to search/);
  expect(screen.queryByText(/No event/)).toBeNull();
});

test('where nothing matches, the way back to everything stands', async () => {
  const { asked } = search('/search/?query=nothing', { [RUN]: () => Response.json(searchAnswer([])) });
  fireEvent.click(await screen.findByRole('button', { name: 'Show everything of this time' }));
  await waitFor(() => expect(screen.getByText('No events in this time range')).toBeDefined());
  expect(asked).toEqual([]);
});

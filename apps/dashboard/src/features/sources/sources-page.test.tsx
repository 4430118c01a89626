import type { EventSource } from '@airdeck/contracts/sources/schema';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ownTenant, userWith } from '../../session/fixtures.ts';
import { type Given, showApp, visit } from '../../test-app.tsx';

vi.setConfig({ testTimeout: 60_000 });
const path = `/api/${ownTenant}/event/sources`;
const manager = userWith({ own: 'SystemManager' });
const id = '01920000-0000-7000-8000-000000000401';

const source = (more: Partial<EventSource> = {}): EventSource => ({
  id,
  name: 'Firewall HQ',
  kind: 'syslog',
  url: 'syslog+tcp://air.test:5514',
  token_hint: 'abcd',
  last_event_at: null,
  events_24h: 0,
  rejected_24h: 0,
  repeated_24h: 0,
  clock_24h: null,
  dropped_24h: 0,
  created_at: '2026-01-01T00:00:00.000Z',
  ...more,
});

/** A server that keeps one list of sources. */
function page(sources: EventSource[], address = '/integrations/sources', answers: Given['answers'] = {}) {
  const app = showApp(address, {
    me: manager,
    answers: {
      [`GET ${path}`]: () => Response.json(sources),
      [`POST ${path}/new`]: ({ body }) => {
        const made = source(body as Partial<EventSource>);
        sources.push(made);
        return Response.json({ ...made, token: 'src_made' }, { status: 201 });
      },
      ...answers,
    },
  });
  return { ...app, sources };
}
const asked = (title: string) =>
  Response.json(
    {
      message: 'Confirm.',
      code: 'CONFIRMATION_REQUIRED',
      request_id: 'r',
      confirm: { title, text: 'What happens then.', action_label: 'Do it' },
    },
    { status: 449 },
  );
const press = async (name: string | RegExp) => fireEvent.click(await screen.findByRole('button', { name }));
const frames = ['Modal', 'Drawer'].flatMap((frame) => [`.mantine-${frame}-overlay`, `.mantine-${frame}-inner`]);
/** Esc, and a click beside what is open. */
async function straySteps() {
  fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' });
  for (const beside of document.querySelectorAll(frames.join())) {
    fireEvent.mouseDown(beside);
    fireEvent.click(beside);
  }
  // What Esc is meant for is remembered until the next timer.
  await new Promise((resolve) => setTimeout(resolve));
}
/** Answers what waits for it, whenever the test says. */
function held() {
  let answer: (response: Response) => void = () => undefined;
  const waiting = () =>
    new Promise<Response>((resolve) => {
      answer = resolve;
    });
  return { waiting, answer: (response: Response) => answer(response) };
}
/** The list is read once, and never again. */
function readOnce(sources: EventSource[]) {
  let isRead = false;
  return () => {
    if (isRead) return new Promise<Response>(() => undefined);
    isRead = true;
    return Response.json(sources);
  };
}

test.each(['Analyst', 'ReadOnly'] as const)('%s does not enter', async (own) => {
  expect((await visit('/integrations/sources', { me: userWith({ own }) })).at).toBe('/unauthorized');
});

test('an address of a source that is gone says so, and leads back to the list', async () => {
  const { at } = page([source()], `/integrations/sources?source=${id.replace(/.$/, '9')}`);
  await screen.findByText('No such source');
  await press('Back to the list');
  await waitFor(() => expect(screen.queryByText('No such source')).toBeNull());
  expect(at()).toBe('/integrations/sources');
  expect(await screen.findByText('Firewall HQ')).toBeTruthy();
});

test('the list says in words who sends, who does not yet, and what was lost', async () => {
  page([
    source({ dropped_24h: 12 }),
    source({
      id: id.replace('401', '402'),
      name: 'Shipper',
      kind: 'ndjson',
      dropped_24h: null,
      last_event_at: new Date().toISOString(),
      events_24h: 7,
      rejected_24h: 3,
    }),
  ]);
  const waiting = (await screen.findByText('Firewall HQ')).closest('tr') as HTMLElement;
  expect(within(waiting).getByText('Waiting')).toBeTruthy();
  const receiving = screen.getByText('Shipper').closest('tr') as HTMLElement;
  expect(within(receiving).getByText('Receiving')).toBeTruthy();
  expect(within(receiving).getByText('3')).toBeTruthy();
  expect(screen.getByText(/lost .* lines in 24 h/).textContent).toContain('12');
});

test('deliveries that were taken for repetitions are told in the list, and beside it why and what helps', async () => {
  page([source({ last_event_at: new Date().toISOString(), events_24h: 50, repeated_24h: 12 })]);
  const row = (await screen.findByText('Firewall HQ')).closest('tr') as HTMLElement;
  expect(within(row).getByText('12 repeated')).toBeTruthy();
  fireEvent.click(within(row).getByText('Firewall HQ'));
  const note = await screen.findByRole('note');
  expect(note.textContent).toContain(
    '12 deliveries in 24 h equalled one of the ten minutes before and were not stored again.',
  );
  expect(note.textContent).toContain('Idempotency-Key');
});

test('of a server that does not count them yet nothing is said', async () => {
  const { repeated_24h: _, ...before } = source({ last_event_at: new Date().toISOString(), events_24h: 50 });
  page([before as EventSource]);
  fireEvent.click(await screen.findByText('Firewall HQ'));
  await screen.findByRole('button', { name: 'Replace token…' });
  expect(screen.queryByRole('note')).toBeNull();
  expect(screen.queryByText(/repeated/)).toBeNull();
});

test('a sender whose clock is wrong is told, in the list and beside what to do about it', async () => {
  const clock = { ahead: 40, behind: 0, unbelievable: 2, offset_ms: 7_200_000 };
  page([source({ last_event_at: new Date().toISOString(), events_24h: 50, clock_24h: clock })]);
  expect(await screen.findByText('Clock 2 h ahead')).toBeTruthy();
  fireEvent.click(screen.getByText('Firewall HQ'));
  const note = await screen.findByRole('note');
  expect(note.textContent).toContain('40 events more than 5 minutes ahead of when they came');
  expect(note.textContent).toContain('2 events with a time so far off');
});

test('a new source shows its token once, with it in what is to be pasted, and turns green by itself', async () => {
  const { sources } = page([]);
  await press('Create source');
  fireEvent.change(await screen.findByLabelText('Name'), { target: { value: 'Branch' } });
  await press('Make the source');
  expect(await screen.findByText('src_made')).toBeTruthy();
  expect(screen.getByText(/omfwd/).textContent).toContain('src_made');
  expect(screen.getByText('Waiting for the first event…')).toBeTruthy();
  sources.splice(0, 1, source({ name: 'Branch', last_event_at: new Date().toISOString(), events_24h: 1 }));
  expect(await screen.findByText(/Events arrive/)).toBeTruthy();
});

test('the token of a new source is lost neither meanwhile nor once it shows, and waits for no list', async () => {
  const made = held();
  const { state } = page([], '/integrations/sources', {
    [`GET ${path}`]: readOnce([]),
    [`POST ${path}/new`]: made.waiting,
  });
  await press('Create source');
  fireEvent.change(await screen.findByLabelText('Name'), { target: { value: 'Branch' } });
  await press('Make the source');
  await waitFor(() => expect(state.asked).toContain(`POST ${path}/new`));
  await straySteps();
  await press('Cancel');
  made.answer(Response.json({ ...source({ name: 'Branch' }), token: 'src_made' }, { status: 201 }));
  expect(await screen.findByText('src_made')).toBeTruthy();
  await straySteps();
  expect(screen.getByText('src_made')).toBeTruthy();
  await press('Close');
  await waitFor(() => expect(screen.queryByText('src_made')).toBeNull());
});

test('a source that was made before shows no token, only where it belongs', async () => {
  page([source()], `/integrations/sources?source=${id}`);
  expect((await screen.findByText(/omfwd/)).textContent).toContain('src_…');
});

test('a token is replaced after the question, and the new one is shown', async () => {
  let calls = 0;
  page([source()], `/integrations/sources?source=${id}`, {
    [`POST ${path}/${id}/token`]: () => {
      calls++;
      if (calls === 1) return asked('Replace the token of Firewall HQ?');
      return Response.json({ ...source(), token: 'src_replaced' });
    },
  });
  await press('Replace token…');
  await press('Do it');
  expect(await screen.findByText('src_replaced')).toBeTruthy();
  expect(calls).toBe(2);
});

test('a token that takes the place of another is lost neither meanwhile nor once it shows', async () => {
  const replaced = held();
  const { state } = page([], `/integrations/sources?source=${id}`, {
    [`GET ${path}`]: readOnce([source()]),
    [`POST ${path}/${id}/token`]: replaced.waiting,
  });
  await press('Replace token…');
  await waitFor(() => expect(state.asked).toContain(`POST ${path}/${id}/token`));
  await straySteps();
  await press('Close');
  replaced.answer(Response.json({ ...source(), token: 'src_replaced' }));
  expect(await screen.findByText('src_replaced')).toBeTruthy();
  await straySteps();
  expect(screen.getByText('src_replaced')).toBeTruthy();
  await press('Close');
  await waitFor(() => expect(screen.queryByText('src_replaced')).toBeNull());
});

test('a source is deleted after the question, and its panel closes', async () => {
  let calls = 0;
  const { sources } = page([source()], `/integrations/sources?source=${id}`, {
    [`DELETE ${path}/${id}`]: () => {
      calls++;
      if (calls === 1) return asked('Delete Firewall HQ?');
      sources.pop();
      return new Response(null, { status: 204 });
    },
  });
  await press('Delete…');
  expect(sources).toHaveLength(1);
  await press('Do it');
  expect(await screen.findByText('No event source yet')).toBeTruthy();
  await waitFor(() => expect(screen.queryByText('Replace token…')).toBeNull());
});

import type { SearchBody } from '@airdeck/contracts/search/schema';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeAll, expect, test, vi } from 'vitest';
import { failure, type Given } from '../../test-app.tsx';
import { foundEvent, searchAnswer } from './search-fixtures.ts';
import { api, drawer, drawRows, RUN, row, search, typeQuery } from './search-screen-fixture.ts';
// Loaded with the file, or the first test would wait for them.
import './event-panel.tsx';
import './query-editor.ts';

vi.setConfig({ testTimeout: 60_000 });
beforeAll(drawRows);

const ROW_PX = 36;
const many = Array.from({ length: 1_000 }, (_, index) => foundEvent(1_000 - index));

/** A thousand events, whatever is searched. */
function searchMany(address = '/search/', answers: Given['answers'] = {}) {
  const asked: SearchBody[] = [];
  const run = ({ body }: { body: unknown }) => {
    asked.push(body as SearchBody);
    return Response.json(searchAnswer(many));
  };
  return { ...search(address, { [RUN]: run, ...answers }), asked };
}

const table = () => screen.getByRole('table', { name: 'Events' });
const scroller = () => table().parentElement ?? document.body;
function scrollTo(top: number): void {
  scroller().scrollTop = top;
  fireEvent.scroll(scroller());
}

async function runQuery(text: string): Promise<void> {
  fireEvent.keyDown(await typeQuery(text), { key: 'Enter' });
}

test('another search begins at its top, and what comes in is not held back for the list of before', async () => {
  const { asked } = searchMany('/search/?live=true', {
    [`GET ${api}/tail`]: () => new Response(new ReadableStream<Uint8Array>({ start: () => undefined })),
  });
  await row('Event 1000');
  scrollTo(500 * ROW_PX);
  await row('Event 500');
  await screen.findByText('New events wait while you read.');
  await runQuery('other');
  await waitFor(() => expect(asked).toHaveLength(2));
  await waitFor(() => expect(scroller().scrollTop).toBe(0));
  expect(screen.queryByText('New events wait while you read.')).toBeNull();
});

test('a search over a relative range is sent once, and again when it is run again', async () => {
  const { asked } = searchMany();
  await row('Event 1000');
  await runQuery('user:root');
  await waitFor(() => expect(asked.at(-1)?.query).toBe('user:root'));
  expect(asked.map(({ query }) => query)).toEqual(['', 'user:root']);
  await runQuery('user:root');
  await waitFor(() => expect(asked).toHaveLength(3));
  expect(asked[2]?.time_range.end).not.toBe(asked[1]?.time_range.end);
});

test('opening an event and choosing columns search nothing again', async () => {
  const { asked } = searchMany();
  fireEvent.click(await row('Event 1000'));
  await drawer();
  fireEvent.click(await screen.findByRole('button', { name: 'Column port', pressed: false, hidden: true }));
  await screen.findByRole('columnheader', { name: 'port', hidden: true });
  expect(asked).toHaveLength(1);
});

test('after scrolling away from the row used last, Tab and j lead into the rows in sight', async () => {
  searchMany();
  const first = (await row('Event 1000')).closest('tr');
  first?.focus();
  expect(document.activeElement).toBe(first);
  scrollTo(500 * ROW_PX);
  await row('Event 500');
  expect(document.activeElement).toBe(document.body);
  const inTabOrder = within(table())
    .getAllByRole('row')
    .filter(({ tabIndex }) => tabIndex === 0);
  expect(inTabOrder.map(({ textContent }) => textContent)).toEqual([expect.stringContaining('Event 500')]);
  fireEvent.keyDown(document.body, { key: 'j' });
  expect(document.activeElement).toBe(inTabOrder[0]);
  fireEvent.keyDown(document.activeElement ?? document.body, { key: 'j' });
  expect(document.activeElement?.textContent).toContain('Event 499');
});

test('beside the last event that is loaded, the next ones are loaded, too', async () => {
  const page = Array.from({ length: 200 }, (_, index) => foundEvent(300 - index));
  const answers = [
    () => Response.json(searchAnswer(page, { cursor: 'next' })),
    () => failure(400, 'SEARCH_TOO_EXPENSIVE'),
    () => Response.json(searchAnswer([foundEvent(100)])),
  ];
  const last = page.at(-1)?.id;
  search(`/search/?event=${last}`, { [RUN]: () => (answers.shift() ?? (() => failure(500, 'NONE')))() });
  const panel = within(await drawer());
  await panel.findByText('Event 101');
  // The page could not be had: asked for once more, it comes.
  const older = () => panel.getByRole<HTMLButtonElement>('button', { name: 'Older event (j)' });
  await waitFor(() => expect(older().disabled).toBe(false));
  fireEvent.click(older());
  await waitFor(() => expect(answers).toEqual([]));
  await waitFor(() => expect(older().disabled).toBe(false));
  fireEvent.keyDown(document.body, { key: 'j' });
  await panel.findByText('Event 100');
});

test('what a connector that is searched live found on top of the total makes no more of it than there is', async () => {
  const events = [3, 2, 1].map((n) => foundEvent(n));
  const total = { value: 2, relation: 'eq' } as const;
  search('/search/', { [RUN]: () => Response.json({ ...searchAnswer(events), total }) });
  await row('Event 3');
  expect(screen.getAllByRole('status').map(({ textContent }) => textContent)).toContain('3 events');
  expect(screen.queryByText('3 of 2 events')).toBeNull();
});

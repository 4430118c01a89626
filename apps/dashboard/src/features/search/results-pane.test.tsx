import type { LiveSource, SearchAnswer, SearchBody } from '@airdeck/contracts/search/schema';
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

/** A connector that is searched live, on one page of an answer. */
const graylog: LiveSource = {
  ...{ connector_id: '01920000-0000-7000-8000-000000000301', name: 'Graylog HQ', state: 'answered', message: '' },
  ...{ found: 1, took_ms: 9 },
};
const live = (n: number) => foundEvent(n, { source_id: null, connector_id: graylog.connector_id });
const statuses = () => screen.getAllByRole('status').map(({ textContent }) => textContent);

test.each<[string, Partial<SearchAnswer>]>([
  ['2 of 134 events', { events: [foundEvent(3), foundEvent(2)] }],
  ['2 of 134 stored events', { events: [foundEvent(3), foundEvent(2)], sources: [graylog] }],
  [
    '2 of 134 stored events, 1 event found live',
    { events: [foundEvent(3), foundEvent(2), live(1)], sources: [graylog] },
  ],
  [
    '1 of 1 stored event, 2 events found live',
    { events: [live(3), foundEvent(2), live(1)], total: { value: 1, relation: 'eq' }, sources: [graylog] },
  ],
  [
    '1 of more than 20 stored events, 1 event found live',
    { events: [foundEvent(3), live(2)], total: { value: 20, relation: 'gte' }, sources: [graylog] },
  ],
  ['2 of 2 events', { events: [foundEvent(3), foundEvent(2)], total: { value: 1, relation: 'eq' } }],
])('the foot counts what is stored, and what was found live on top of it: %s', async (text, part) => {
  const total = { value: 134, relation: 'eq' } as const;
  search('/search/', { [RUN]: () => Response.json(searchAnswer([], { total, ...part })) });
  await row('Event 3');
  expect(statuses()).toContain(text);
});

test('a connector that does not answer for a later page says so: what it has is missing from the list', async () => {
  const pages = [
    searchAnswer([foundEvent(3)], { cursor: 'second', sources: [graylog] }),
    searchAnswer([foundEvent(2)], {
      cursor: 'third',
      sources: [{ ...graylog, state: 'failed', message: 'It timed out.' }],
    }),
    searchAnswer([foundEvent(1)], { sources: [graylog] }),
  ];
  search('/search/', { [RUN]: () => Response.json(pages.shift()) });
  await row('Event 1');
  expect(screen.getByText('Graylog HQ, searched live, did not answer: It timed out.')).toBeDefined();
});

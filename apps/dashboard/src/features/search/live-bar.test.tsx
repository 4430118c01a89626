import type { FoundEvent } from '@airdeck/contracts/search/schema';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeAll, expect, test, vi } from 'vitest';
import { failure } from '../../test-app.tsx';
import { foundEvent } from './search-fixtures.ts';
import { api, drawRows, row, search } from './search-screen-fixture.ts';

vi.setConfig({ testTimeout: 60_000 });
beforeAll(drawRows);

const sent = (id: number, ...events: FoundEvent[]) =>
  `id: ${id}\nevent: events\ndata: ${JSON.stringify({ events, left_out: 0 })}\n\n`;
const ended = (reason: string) => `event: ended\ndata: ${JSON.stringify({ reason })}\n\n`;

/** Each attempt gets the next answer: what it sends before it breaks off. The last one stays open. */
function tailing(...answers: (string | (() => Response))[]) {
  const lastIds: (string | null)[] = [];
  const shown = search('/search/?live=true', {
    [`GET ${api}/tail`]: ({ headers }) => {
      lastIds.push(headers.get('last-event-id'));
      const answer = answers.shift();
      if (typeof answer === 'function') return answer();
      const isLast = answers.length === 0;
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => {
          controller.enqueue(new TextEncoder().encode(`retry: 5\n\n${answer ?? ''}`));
          if (!isLast) controller.close();
        },
      });
      return new Response(body);
    },
  });
  return { ...shown, lastIds };
}

test('what came in while the connection was lost is shown, once', async () => {
  const { lastIds } = tailing(sent(70, foundEvent(6)), sent(80, foundEvent(6), foundEvent(7)), sent(90, foundEvent(8)));
  await row('Event 8');
  expect(lastIds).toEqual([null, '70', '80']);
  expect(screen.getAllByText(/^Event [678]$/).map(({ textContent }) => textContent)).toEqual([
    'Event 8',
    'Event 7',
    'Event 6',
  ]);
});

test.each([
  ['access', /you may not search here any more/],
  ['too_expensive', /takes the store too long/],
  ['away', /was lost for too long/],
  ['a reason of another release', /^The live tail has ended\.$/],
])('a tail that has ended (%s) says so in a sentence, and starts again on demand', async (reason, sentence) => {
  const { asked, lastIds } = tailing(ended(reason), sent(1, foundEvent(8)));
  await screen.findByText(sentence);
  expect(lastIds).toHaveLength(1);
  expect(screen.queryByRole('button', { name: 'Pause' })).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Start again' }));
  await row('Event 8');
  // What came in meanwhile is found by the search.
  await waitFor(() => expect(asked).toHaveLength(2));
  expect(screen.queryByText(sentence)).toBeNull();
});

test('a tail the server refuses does not claim to try again', async () => {
  const { lastIds } = tailing(() => failure(400, 'VALIDATION_FAILED'), sent(1, foundEvent(8)));
  await screen.findByText('The server refused the live tail.');
  expect(lastIds).toHaveLength(1);
  fireEvent.click(screen.getByRole('button', { name: 'Start again' }));
  await row('Event 8');
});

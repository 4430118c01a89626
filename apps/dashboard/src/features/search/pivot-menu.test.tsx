import { fireEvent, screen, within } from '@testing-library/react';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { foundEvent, searchAnswer } from './search-fixtures.ts';
import { drawer, drawRows, RUN, search } from './search-screen-fixture.ts';
// Loaded with the file, or the first test would wait for them.
import './event-panel.tsx';

vi.setConfig({ testTimeout: 60_000 });
beforeAll(drawRows);

const writeText = vi.fn<(text: string) => Promise<void>>();
beforeEach(() => {
  writeText.mockReset();
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText } });
});

/** The menu of a value of an opened event; its names. */
async function menuOf(user: string): Promise<string[]> {
  const event = foundEvent(3, { user });
  search(`/search/?event=${event.id}`, { [RUN]: () => Response.json(searchAnswer([event])) });
  const panel = within(await drawer());
  fireEvent.click(await panel.findByRole('button', { name: `What to do with user ${user.slice(0, 80)}` }));
  await screen.findByRole('menuitem', { name: 'Copy value' });
  return screen.getAllByRole('menuitem').map(({ textContent }) => textContent ?? '');
}

test('a value longer than a filter takes is offered no filter: cut, it would find nothing', async () => {
  const names = await menuOf('x'.repeat(1001));
  expect(names).not.toContain('Only this value');
  expect(names).not.toContain('Not this value');
  expect(names).toContain('Search this value everywhere');
});

test('a value as long as a filter takes is offered one', async () => {
  expect(await menuOf('x'.repeat(1000))).toContain('Only this value');
});

test('a value longer than a query takes is not offered as one', async () => {
  expect(await menuOf('x'.repeat(9_000))).not.toContain('Search this value everywhere');
});

test('copying that the browser refuses is told, not passed over', async () => {
  writeText.mockRejectedValue(new DOMException('Denied', 'NotAllowedError'));
  await menuOf('root');
  fireEvent.click(screen.getByRole('menuitem', { name: 'Copy value' }));
  await screen.findByText('This browser did not let it be copied. Select it and copy it by hand.');
  expect(screen.queryByText('Value copied')).toBeNull();
});

test('copying without a clipboard, as on a page without encryption, is told too', async () => {
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: undefined });
  await menuOf('root');
  fireEvent.click(screen.getByRole('button', { name: 'Copy message', hidden: true }));
  await screen.findByText('This browser did not let it be copied. Select it and copy it by hand.');
});

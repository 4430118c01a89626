import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeAll, expect, test, vi } from 'vitest';
import { failure } from '../../test-app.tsx';
import { api, drawRows, row, saved, search } from './search-screen-fixture.ts';

vi.setConfig({ testTimeout: 60_000 });
beforeAll(drawRows);

const CHANGE = `PUT ${api}/saved/${saved.id}`;
const own = { ...saved, own: true, editable: true };
const newer = { ...own, name: 'Failed logins, all', updated_at: '2026-11-02T10:00:00.000Z' };

/** The dialog that saves over a search; `stored` is what the server has. */
async function saveOver(refusal: () => Response) {
  const stored = { now: own };
  const sent: unknown[] = [];
  search('/search/', {
    [`GET ${api}/saved`]: () => Response.json([stored.now]),
    [CHANGE]: ({ body }) => {
      sent.push((body as { replaces?: string }).replaces);
      return sent.length === 1 ? refusal() : Response.json(stored.now);
    },
  });
  await row('Event 2');
  fireEvent.click(await screen.findByRole('button', { name: 'Saved searches' }));
  fireEvent.click(await screen.findByRole('button', { name: 'More for Failed logins' }));
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Save over it' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Save over Failed logins' }));
  return { stored, sent, dialog };
}

test('a search somebody changed meanwhile is not written over unasked, and is once that was said', async () => {
  const { stored, sent, dialog } = await saveOver(() => failure(409, 'CONFLICT', 'Somebody else was faster.'));
  stored.now = newer;
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
  await dialog.findByText(/^“Failed logins, all” was changed in the meantime\. Save again to write over it/);
  expect(sent).toEqual([own.updated_at]);
  fireEvent.click(dialog.getByRole('button', { name: 'Save over the newer one' }));
  await screen.findByText('Search saved');
  expect(sent).toEqual([own.updated_at, newer.updated_at]);
});

test('a refusal for another reason is shown as it is, and offers no writing over', async () => {
  const { sent, dialog } = await saveOver(() => failure(409, 'CONFLICT', 'This name is taken.'));
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
  await dialog.findByText('This name is taken.');
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(sent).toEqual([own.updated_at, own.updated_at]));
});

test('a shared search whose owner has left says so', async () => {
  const ofOld = { ...saved, id: '01920000-0000-7000-8000-000000000702', owner: { ...saved.owner, name: '' } };
  search('/search/', { [`GET ${api}/saved`]: () => Response.json([saved, ofOld]) });
  await row('Event 2');
  fireEvent.click(await screen.findByRole('button', { name: 'Saved searches' }));
  await screen.findByRole('img', { name: 'Shared by Bob Lima' });
  expect(screen.getByRole('img', { name: 'Shared by somebody who has left' })).toBeTruthy();
});

import { type ApiClient, createApiClient } from '@airdeck/api-client/client';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { createQueryClient } from '../../lib/query-client.ts';
import { showError, toasts } from '../../lib/toasts.ts';
// Loaded with the file, or the first test would wait for it.
import './confirmation-dialog.tsx';
import { ConfirmationHost } from './confirmation-host.tsx';
import { useConfirmedMutation } from './use-confirmed-mutation.ts';

vi.setConfig({ testTimeout: 20_000 });
type Asked = { method: string; headers: Headers };
type Reply = () => Response;

const asks = (title = 'Delete ana?', hint?: string): Reply => {
  const confirm = { title, text: 'It is gone for good.', action_label: 'Delete' };
  return () =>
    Response.json(
      {
        message: 'Please confirm.',
        code: 'CONFIRMATION_REQUIRED',
        request_id: 'r',
        confirm: hint === undefined ? confirm : { ...confirm, passphrase_hint: hint },
      },
      { status: 449 },
    );
};
const wrong: Reply = () =>
  Response.json({ message: 'The text does not match.', code: 'CONFIRMATION_WRONG', request_id: 'r' }, { status: 403 });
const done: Reply = () => new Response(null, { status: 204 });
const lastAdmin: Reply = () =>
  Response.json({ message: 'You are the only Admin.', code: 'LAST_ADMIN', request_id: 'r' }, { status: 409 });

/** A screen with one button that deletes, on an API that answers in order; the real client, hook, queue and dialog. */
function setUp(replies: Reply[]) {
  const asked: Asked[] = [];
  const onSuccess = vi.fn();
  const onError = vi.fn();
  const failures = vi.fn(showError);
  const api = createApiClient({
    baseUrl: 'https://air.test',
    getToken: async () => 'token',
    fetch: async (_, init = {}) => {
      asked.push({ method: init.method ?? 'GET', headers: new Headers(init.headers) });
      const reply = replies.shift();
      if (reply === undefined) throw new Error('one call too many');
      return reply();
    },
    onUnauthorized: () => undefined,
    newId: () => 'never used',
  });
  const root = createRootRoute({
    component: () => (
      <>
        <Outlet />
        <ConfirmationHost />
      </>
    ),
  });
  const routeTree = root.addChildren([
    createRoute({
      getParentRoute: () => root,
      path: '/',
      component: () => <Screen {...{ api, onSuccess, onError }} />,
    }),
    createRoute({ getParentRoute: () => root, path: '/other', component: () => <p>Other screen</p> }),
  ]);
  const router = createRouter({ routeTree, history: createMemoryHistory() });
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={createQueryClient({ onMutationError: failures })}>
        {/* biome-ignore lint/suspicious/noExplicitAny: a router of this test, not the registered one */}
        <RouterProvider router={router as any} />
      </QueryClientProvider>
    </MantineProvider>,
  );
  return { asked, onSuccess, onError, router };
}

type ScreenProps = { api: ApiClient; onSuccess: () => void; onError: (error: Error) => void };

function Screen({ api, onSuccess, onError }: ScreenProps) {
  const remove = useConfirmedMutation({
    mutationFn: (_: undefined, controls) => api.call('me.delete', controls),
    onSuccess,
    onError,
  });
  return (
    <>
      <button type="button" onClick={() => remove.mutate(undefined)}>
        Remove
      </button>
      <p>{remove.isPending ? 'pending' : remove.isError ? 'failed' : 'idle'}</p>
    </>
  );
}

const begin = async () => fireEvent.click(await screen.findByRole('button', { name: 'Remove' }));
const dialog = () => screen.findByRole('dialog');
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const gone = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

test('the question is shown in the words of the server, and confirming repeats the same intent', async () => {
  const { asked, onSuccess } = setUp([asks(), done]);
  await begin();
  expect((await dialog()).textContent).toContain('It is gone for good.');
  press('Delete');
  await gone();
  await waitFor(() => expect(onSuccess).toHaveBeenCalledTimes(1));
  expect(asked.map(({ headers }) => headers.get('x-air-confirm'))).toEqual([null, 'true']);
  const keys = asked.map(({ headers }) => headers.get('idempotency-key'));
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
  expect(new Set(keys).size).toBe(1);
});

test('a call nobody has to confirm opens nothing', async () => {
  const { asked, onSuccess } = setUp([done]);
  await begin();
  await waitFor(() => expect(onSuccess).toHaveBeenCalledTimes(1));
  expect(asked).toHaveLength(1);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('left, nothing happened: no second call, no error, no toast', async () => {
  const { asked, onError, onSuccess } = setUp([asks()]);
  await begin();
  await dialog();
  fireEvent.click(screen.getByText('Cancel', { selector: 'button *' }));
  await gone();
  await screen.findByText('idle');
  expect(asked).toHaveLength(1);
  expect(onError).not.toHaveBeenCalled();
  expect(onSuccess).not.toHaveBeenCalled();
  expect(toasts.isWanted()).toBe(false);
});

test('a wrong passphrase is said beside the field, the right one goes through', async () => {
  const { asked, onSuccess } = setUp([asks('Delete ana?', 'Type ana to go on'), wrong, done]);
  await begin();
  await dialog();
  press('Delete');
  expect(await screen.findByText('Type it to go on.')).toBeTruthy();
  expect(asked).toHaveLength(1);
  const field = screen.getByLabelText('Type ana to go on');
  fireEvent.change(field, { target: { value: 'anna' } });
  press('Delete');
  expect(await screen.findByText('The text does not match.')).toBeTruthy();
  fireEvent.change(field, { target: { value: ' ana ' } });
  press('Delete');
  await gone();
  await waitFor(() => expect(onSuccess).toHaveBeenCalledTimes(1));
  expect(asked.map(({ headers }) => headers.get('x-air-confirm-passphrase'))).toEqual([null, 'anna', 'ana']);
});

test('two clicks on the button and two on the confirmation have one effect (A-W10)', async () => {
  const { asked, onSuccess } = setUp([asks(), done]);
  const button = await screen.findByRole('button', { name: 'Remove' });
  fireEvent.click(button);
  fireEvent.click(button);
  await dialog();
  const form = screen.getByRole('button', { name: 'Delete' }).closest('form') as HTMLFormElement;
  fireEvent.submit(form);
  fireEvent.submit(form);
  await gone();
  await waitFor(() => expect(onSuccess).toHaveBeenCalledTimes(1));
  expect(asked).toHaveLength(2);
});

test('with nothing to type the focus is on cancel, so that a repeated Enter confirms nothing', async () => {
  setUp([asks()]);
  await begin();
  await dialog();
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Cancel'));
  fireEvent.click(document.activeElement as HTMLElement);
  await gone();
});

test('a question asked anew is shown anew before it is confirmed', async () => {
  const { onSuccess } = setUp([asks(), asks('Delete ana, now Admin?'), done]);
  await begin();
  await dialog();
  press('Delete');
  expect(await screen.findByText('Delete ana, now Admin?')).toBeTruthy();
  expect(onSuccess).not.toHaveBeenCalled();
  press('Delete');
  await gone();
  await waitFor(() => expect(onSuccess).toHaveBeenCalledTimes(1));
});

test('a refusal after the confirmation is the action’s own failure', async () => {
  const { onError } = setUp([asks(), lastAdmin]);
  await begin();
  await dialog();
  press('Delete');
  await gone();
  await screen.findByText('failed');
  expect(onError.mock.calls[0]?.[0]).toMatchObject({ code: 'LAST_ADMIN' });
});

test('leaving the screen leaves its dialog', async () => {
  const { router, asked } = setUp([asks()]);
  await begin();
  await dialog();
  router.history.push('/other');
  await screen.findByText('Other screen');
  await gone();
  expect(asked).toHaveLength(1);
});

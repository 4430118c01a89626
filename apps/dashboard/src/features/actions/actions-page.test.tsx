import type { ActionDefinition } from '@airdeck/contracts/actions/schema';
import type { ConnectorSummary } from '@airdeck/contracts/connectors/schema';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
// Loaded with the file, or the first test would wait for them.
import '../../components/confirmation/confirmation-dialog.tsx';
import { ownTenant, userWith } from '../../session/fixtures.ts';
import { failure, type Given, showApp, visit } from '../../test-app.tsx';
import { action, actionRun, connector } from './action-fixtures.ts';
import './action-drawer.tsx';

vi.setConfig({ testTimeout: 60_000 });
const api = `/api/tenants/${ownTenant}`;
const LIST = `GET ${api}/soar/available_actions`;
const RUNS = `GET ${api}/soar/actions_activity`;
const START = `POST ${api}/soar/actions_activity`;
const block = action('fortigate.block_address', { friendly_name: 'Block address' });
const suspend = action('okta.suspend_user', {
  friendly_name: 'Suspend user',
  vendor: 'Okta',
  product: 'Okta',
  effect: 'reads',
});
const address = '/actions/?action=fortigate.block_address';

type Wanted = { actions?: ActionDefinition[]; connectors?: ConnectorSummary[]; given?: Given };

function catalogue(at = '/actions/', { actions = [block, suspend], connectors, given = {} }: Wanted = {}) {
  const sent: unknown[] = [];
  const app = showApp(at, {
    ...given,
    answers: {
      [LIST]: () => Response.json(actions),
      [`${LIST}/fortigate.block_address`]: () => Response.json(actions[0]),
      [`GET ${api}/connectors`]: () => Response.json(connectors ?? [connector(1)]),
      [RUNS]: () => Response.json([]),
      [START]: ({ body }) => {
        sent.push(body);
        return Response.json(actionRun(1, { summary: { status: 'pending' } }), { status: 202 });
      },
      [`${RUNS}/${idOf(1)}`]: () =>
        Response.json(actionRun(1, { details: { action_output: { changed: 'newly-blocked' } } })),
      ...given.answers,
    },
  });
  return { ...app, sent };
}
const idOf = (number: number) => actionRun(number).details.context.action_uuid;
const drawer = () => screen.findByRole('dialog');
const fill = async (text: string) =>
  fireEvent.change(await screen.findByLabelText(/^Address/), { target: { value: text } });
const run = () => fireEvent.click(screen.getByRole('button', { name: 'Run' }));
const names = () =>
  screen.queryAllByRole('button', { name: /Block address|Suspend user/ }).map((row) => row.textContent);

test('Read Only has no business there', async () => {
  expect((await visit('/actions/', { me: userWith({ own: 'ReadOnly' }) })).at).toBe('/unauthorized');
});

test('the catalogue stands by product; what one types and filters is in the address', async () => {
  const { at } = catalogue();
  expect(await screen.findByRole('heading', { level: 2, name: 'Fortinet FortiGate' })).toBeTruthy();
  fireEvent.change(screen.getByRole('searchbox', { name: 'Search actions' }), { target: { value: 'suspend' } });
  await waitFor(() => expect(names()).toHaveLength(1));
  expect(names()[0]).toContain('Suspend user');
  expect(at()).toContain('q=suspend');
});

test.each([
  ['filters', JSON.stringify({ vendor: ['Nobody'] })],
  ['filters.vendor', 'Nobody'],
])('a filter of the address, as %s, holds, and is taken back by one button', async (name, value) => {
  const { at } = catalogue(`/actions/?${new URLSearchParams({ [name]: value })}`);
  expect(await screen.findByText('No action matches')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Clear filters' }));
  await waitFor(() => expect(names()).toHaveLength(2));
  expect(at()).not.toContain('filters');
});

test('a catalogue that does not load says so and can be asked for again', async () => {
  let broken = true;
  const answers = { [LIST]: () => (broken ? failure(400, 'VALIDATION_FAILED') : Response.json([block])) };
  catalogue('/actions/', { given: { answers } });
  expect(await screen.findByText('Unable to load Actions.')).toBeTruthy();
  broken = false;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(names()).toHaveLength(1));
});

test('an action opens beside the list and is in the address; closed, it is gone from there', async () => {
  const { at } = catalogue();
  const row = await screen.findByRole('button', { name: /Block address/ });
  row.focus();
  fireEvent.click(row);
  expect((await drawer()).textContent).toContain('Changes');
  expect(at()).toContain('action=fortigate.block_address');
  fireEvent.click(within(await drawer()).getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(at()).not.toContain('action='));
  await waitFor(() => expect(document.activeElement?.textContent).toContain('Block address'));
});

test('what it takes and gives unfolds, and stays so in the address', async () => {
  const { at } = catalogue(`${address}&settings=true`);
  expect(await screen.findByRole('region', { name: 'Output fields' })).toBeTruthy();
  expect(screen.getByText('Whether it was new.')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Facts, input and output' }));
  await waitFor(() => expect(at()).not.toContain('settings'));
});

test('without its input nothing is sent, and the focus goes to what is missing', async () => {
  const { sent } = catalogue(address);
  const field = await screen.findByLabelText(/^Address/);
  await waitFor(() => expect(screen.getByLabelText('Connector')).toBeTruthy());
  run();
  await waitFor(() => expect(document.activeElement).toBe(field));
  expect(sent).toEqual([]);
});

test('an address brings what to act on; what the action does not take, and what is no text, is left out', async () => {
  const input = encodeURIComponent(JSON.stringify({ address: '192.0.2.7', other: 'x', connector_id: 1 }));
  const { sent } = catalogue(`${address}&input=${input}`);
  const field = await screen.findByLabelText<HTMLInputElement>(/^Address/);
  expect(field.value).toBe('192.0.2.7');
  expect(sent).toEqual([]);
  await screen.findByLabelText('Connector');
  run();
  await waitFor(() => expect(sent).toEqual([expect.objectContaining({ action_input: { address: '192.0.2.7' } })]));
});

test('two clicks on Run, and Enter beside them, start it once (A-W10)', async () => {
  const { sent } = catalogue(address);
  await screen.findByLabelText('Connector');
  await fill('192.0.2.7');
  const form = screen.getByRole('button', { name: 'Run' }).closest('form') as HTMLFormElement;
  run();
  run();
  fireEvent.submit(form);
  expect(await screen.findByText('newly-blocked')).toBeTruthy();
  expect(sent).toHaveLength(1);
});

test('it runs with the default connector, and the result appears in the drawer by itself', async () => {
  const connectors = [connector(2), connector(1), connector(3, { enabled: false, state: 'paused' })];
  const { sent } = catalogue(address, { connectors });
  await fill('192.0.2.7');
  const choice = await screen.findByLabelText<HTMLSelectElement>('Connector');
  expect([...choice.options].map(({ text, disabled }) => [text, disabled])).toEqual([
    ['FortiGate 1 · default', false],
    ['FortiGate 2', false],
    ['FortiGate 3 · paused', true],
  ]);
  run();
  const result = await screen.findByRole('region', { name: 'Result' });
  await waitFor(() => expect(result.textContent).toContain('newly-blocked'));
  expect(within(result).getByRole('status').textContent).toBe('Success');
  expect(sent).toEqual([
    {
      action_name: 'fortigate.block_address',
      action_input: { address: '192.0.2.7' },
      connector_id: connector(1).id,
      time_scheduled: null,
    },
  ]);
});

test('another connector can be chosen', async () => {
  const { sent } = catalogue(address, { connectors: [connector(1), connector(2)] });
  await fill('192.0.2.7');
  fireEvent.change(await screen.findByLabelText('Connector'), { target: { value: connector(2).id } });
  run();
  await waitFor(() => expect(sent).toMatchObject([{ connector_id: connector(2).id }]));
});

test('who may set up a connector is led there, others are told whom to ask; neither can run it', async () => {
  const me = userWith({ own: 'SystemManager' });
  const { sent, leave } = catalogue(address, { connectors: [], given: { me } });
  const link = await screen.findByRole('link', { name: 'Set one up' });
  expect(link.getAttribute('href')).toBe('/integrations/new/fortigate');
  await fill('192.0.2.7');
  run();
  expect(screen.getByRole('button', { name: 'Run' }).getAttribute('aria-disabled')).toBe('true');
  leave();
  catalogue(address, { connectors: [] });
  expect(await screen.findByText(/Ask a System Manager to set one up/)).toBeTruthy();
  expect(screen.queryByRole('link', { name: 'Set one up' })).toBeNull();
  expect(sent).toEqual([]);
});

test('an action that destroys asks in the words of the server; left, nothing has run', async () => {
  let asked = 0;
  const confirm = { title: 'Run Wipe disk?', text: 'It cannot be brought back.', action_label: 'Run it' };
  const answers = {
    [START]: () => {
      asked += 1;
      const question = { message: 'Please confirm.', code: 'CONFIRMATION_REQUIRED', request_id: 'r', confirm };
      return asked < 3
        ? Response.json(question, { status: 449 })
        : Response.json(actionRun(1, { summary: { status: 'pending' } }), { status: 202 });
    },
  };
  const destroys = action('fortigate.block_address', { friendly_name: 'Wipe disk', effect: 'destroys' });
  catalogue(address, { actions: [destroys], given: { answers } });
  await fill('192.0.2.7');
  await screen.findByLabelText('Connector');
  run();
  await screen.findByText('It cannot be brought back.');
  fireEvent.click(screen.getByText('Cancel', { selector: 'button *' }));
  await waitFor(() => expect(screen.queryByText('It cannot be brought back.')).toBeNull());
  expect(screen.queryByRole('region', { name: 'Result' })).toBeNull();
  await waitFor(() => expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Run' }).disabled).toBe(false));
  run();
  await screen.findByText('It cannot be brought back.');
  fireEvent.click(screen.getByRole('button', { name: 'Run it' }));
  expect(await screen.findByRole('region', { name: 'Result' })).toBeTruthy();
  expect(asked).toBe(3);
});

test('what the server says about a field stands beside it, other refusals above the button', async () => {
  const refusals = [
    Response.json(
      {
        message: "The input does not fit the action's schema.",
        code: 'ACTION_INPUT_INVALID',
        request_id: 'r',
        details: [{ path: 'action_input.address', message: 'must be an address of the Internet' }],
      },
      { status: 400 },
    ),
    failure(409, 'CONNECTOR_UNAVAILABLE', 'No working connector is configured for this action.'),
  ];
  catalogue(address, { given: { answers: { [START]: () => refusals.shift() ?? failure(500, 'INTERNAL') } } });
  await fill('not one');
  await screen.findByLabelText('Connector');
  run();
  const field = screen.getByLabelText(/^Address/);
  await waitFor(() => expect(document.activeElement).toBe(field));
  expect(field.getAttribute('aria-invalid')).toBe('true');
  await fill('192.0.2.7');
  run();
  expect((await screen.findByRole('alert')).textContent).toContain('No working connector');
});

test('it can be set for later; a time that is past or missing is refused beside the field', async () => {
  const { sent } = catalogue(address);
  await fill('192.0.2.7');
  await screen.findByLabelText('Connector');
  fireEvent.click(screen.getByRole('checkbox', { name: 'Run later' }));
  const field = screen.getByLabelText(/^Start at/);
  const schedule = () => fireEvent.click(screen.getByRole('button', { name: 'Schedule' }));
  schedule();
  expect(await screen.findByText('Choose a day and a time.')).toBeTruthy();
  fireEvent.change(field, { target: { value: '2020-01-01T10:00' } });
  schedule();
  expect(await screen.findByText('This time is past.')).toBeTruthy();
  expect(sent).toEqual([]);
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 16);
  fireEvent.change(field, { target: { value: tomorrow } });
  schedule();
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({ time_scheduled: new Date(tomorrow).toISOString() });
});

test('recent runs of this action are listed, and one shows its result', async () => {
  const other = actionRun(3, { summary: { action_name: 'fortigate.block_address_group' } });
  const failed = actionRun(2, {
    summary: { status: 'error' },
    details: {
      error_info: { code: 'VENDOR_CREDENTIALS_REFUSED', message: 'FortiGate said no.', retryable: false },
    },
  });
  const tried = actionRun(1, { details: { context: { ...actionRun(1).details.context, dry_run: true } } });
  const answers = {
    [RUNS]: ({ url }: { url: URL }) =>
      Response.json(
        [tried, failed, other].filter(({ summary }) => summary.action_name === url.searchParams.get('action')),
      ),
    [`${RUNS}/${idOf(2)}`]: () => Response.json(failed),
  };
  catalogue(address, { given: { answers } });
  const recent = await screen.findByRole('region', { name: 'Recent runs' });
  await waitFor(() => expect(within(recent).getAllByRole('button')).toHaveLength(2));
  expect(within(recent).getAllByText('Dry run')).toHaveLength(1);
  fireEvent.click(within(recent).getByRole('button', { name: /Error/ }));
  const result = await screen.findByRole('region', { name: 'Result' });
  await waitFor(() => expect(result.textContent).toContain('The stored credentials were refused.'));
  expect(within(result).getByRole('button', { name: 'Run once more' })).toBeTruthy();
});

test('what was typed is not lost by closing the drawer without a question', async () => {
  const { at } = catalogue(address);
  await fill('192.0.2.7');
  fireEvent.click(within(await drawer()).getByRole('button', { name: 'Close' }));
  expect(await screen.findByText('Leave without saving?')).toBeTruthy();
  expect(at()).toContain('action=');
});

import type { Connector } from '@airdeck/contracts/connectors/schema';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { overtaken } from '../../components/overtaken-fixture.ts';
import { ownTenant, userWith } from '../../session/fixtures.ts';
import { failure, type Given, showApp, visit } from '../../test-app.tsx';
import { action } from '../actions/action-fixtures.ts';
import { connector, connectorId, graylog, graylogDetail, health, slack } from './integrations-fixture.ts';

// Screens are files of their own, and load with their forms.
vi.setConfig({ testTimeout: 60_000 });
const api = `/api/tenants/${ownTenant}`;
const manager = userWith({ own: 'SystemManager' });
const one = `/integrations/${connectorId}`;

function at(address: string, answers: Given['answers'] = {}, me = manager) {
  return showApp(address, {
    me,
    answers: {
      [`GET ${api}/connectors`]: () => Response.json([summary()]),
      [`GET ${api}/available_integrations`]: () =>
        Response.json([graylog, slack, { ...slack, id: 'old', name: 'Old', visible: false }]),
      [`GET ${api}/available_integrations/graylog`]: () => Response.json(graylogDetail),
      [`GET ${api}/connectors/${connectorId}`]: () => Response.json(connector()),
      [`GET ${api}/connectors/${connectorId}/health`]: () => Response.json(health()),
      ...answers,
    },
  });
}
function summary(more: Partial<Connector> = {}) {
  const { config: _, ...rest } = connector(more);
  return rest;
}
const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const refused = (details: { path: string; message: string }[]) =>
  Response.json({ message: 'No.', code: 'VALIDATION_FAILED', request_id: 'req-9', details }, { status: 422 });

test.each([one, '/integrations/new', '/integrations/new/graylog'])(
  'below System Manager nobody enters %s',
  async (address) => {
    expect((await visit(address, { me: userWith({ own: 'Analyst' }) })).at).toBe('/unauthorized');
  },
);

test('everybody sees the list, but only those who may change something can open or add', async () => {
  at('/integrations', {}, userWith({ own: 'ReadOnly' }));
  const row = (await screen.findByText('Main Graylog')).closest('tr') as HTMLElement;
  expect(row.hasAttribute('data-clickable')).toBe(false);
  expect(screen.getByRole('button', { name: 'Add integration' }).getAttribute('aria-description')).toContain('role');
});

test('the list says in words how each one stands', async () => {
  at('/integrations', {
    [`GET ${api}/connectors`]: () =>
      Response.json([
        summary(),
        summary({
          id: '01920000-0000-7000-8000-000000000c02',
          name: 'Broken',
          state: 'error',
          last_successful_connection: null,
          test_connection_status: 'error',
          test_connection_message: 'The token was refused.',
          events_enabled: false,
          events_24h: 0,
        }),
      ]),
  });
  const good = (await screen.findByText('Main Graylog')).closest('tr') as HTMLElement;
  expect(good.textContent).toMatch(/Active.*1,204.*Success.*Graylog 6.1 answered/);
  await within(good).findByText('Graylog · default');
  const broken = screen.getByText('Broken').closest('tr') as HTMLElement;
  expect(broken.textContent).toMatch(/Error.*Never.*–.*Error.*The token was refused/);
  fireEvent.change(screen.getByLabelText('Search integrations'), { target: { value: 'refused' } });
  await waitFor(() => expect(screen.queryByText('Main Graylog')).toBeNull());
  expect(screen.getByText(/1 of 2 integrations/)).toBeTruthy();
});

test('with nothing connected the list leads to the catalogue', async () => {
  at('/integrations', { [`GET ${api}/connectors`]: () => Response.json([]) });
  expect(await screen.findByText('Nothing is connected yet')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Add integration' }).getAttribute('href')).toBe('/integrations/new');
});

test.each([
  [
    '/integrations',
    'GET',
    `${api}/connectors`,
    /Failed to load integrations. Please check your connection and try again./,
  ],
  ['/integrations/new', 'GET', `${api}/available_integrations`, /Unable to load available integrations./],
  [
    one,
    'GET',
    `${api}/connectors/${connectorId}`,
    /Unable to load integration details. The integration may have been removed./,
  ],
])('%s says what did not load', async (address, method, path, words) => {
  at(address, { [`${method} ${path}`]: () => failure(403, 'ROLE_TOO_LOW') });
  expect(await screen.findByText(words)).toBeTruthy();
});

test('a long list is drawn in parts, and searched as a whole', async () => {
  const many = Array.from({ length: 130 }, (_, index) =>
    summary({ id: `01920000-0000-7000-8000-${String(index).padStart(12, '0')}`, name: `System ${index}.` }),
  );
  at('/integrations', { [`GET ${api}/connectors`]: () => Response.json(many) });
  await screen.findByText('System 99.');
  expect(screen.queryByText('System 100.')).toBeNull();
  press('Show 30 more');
  expect(await screen.findByText('System 129.')).toBeTruthy();
});

test('the catalogue offers what is visible, by text and category', async () => {
  const { at: where } = at('/integrations/new');
  const cards = await screen.findByRole('list', { name: 'Catalog' });
  expect(
    within(cards)
      .getAllByRole('link')
      .map(({ textContent }) => textContent),
  ).toEqual(['Graylog', 'Slack']);
  expect(cards.textContent).toContain('Events, metrics, 2 actions');
  await within(cards).findByText('1 connected');
  fireEvent.change(screen.getByLabelText('Search the catalog'), { target: { value: 'messages' } });
  await waitFor(() => expect(within(cards).queryByText('Graylog')).toBeNull());
  expect(where()).toContain('q=messages');
});

test('a connector is filled in, tested and saved once, and nothing asks on the way out', async () => {
  const tried: unknown[] = [];
  const put: unknown[] = [];
  const { at: where } = at('/integrations/new/graylog', {
    [`GET ${api}/connectors`]: () => Response.json([]),
    [`POST ${api}/validate_connector_configuration`]: ({ body }) => {
      tried.push(body);
      const test = { status: 'success', message: 'Graylog 6.1 answered.', metadata: {}, duration_ms: 120 };
      return Response.json({ valid: true, errors: [], test });
    },
    [`PUT ${api}/connectors`]: ({ body }) => {
      put.push(body);
      return Response.json(connector({ state: 'pending' }));
    },
  });
  await screen.findByLabelText('Access token');
  press('Save');
  expect(put).toEqual([]);
  expect(document.activeElement).toBe(screen.getByLabelText('Address of the API'));
  type('Address of the API', 'https://graylog.example.net:9000/api');
  type('Access token', 'planted-token');
  press('Test connection');
  expect(await screen.findByText('Graylog 6.1 answered.')).toBeTruthy();
  expect(tried).toEqual([
    {
      definition_id: 'graylog',
      config: { verify: true, base_url: 'https://graylog.example.net:9000/api', api_token: 'planted-token' },
      test: true,
    },
  ]);
  fireEvent.click(screen.getByLabelText('Fetch events'));
  expect(screen.getByLabelText<HTMLInputElement>('Hours to look back').value).toBe('24');
  press('Save');
  await waitFor(() => expect(where()).toBe(one));
  expect(put).toEqual([
    {
      definition_id: 'graylog',
      name: 'Graylog',
      config: { verify: true, base_url: 'https://graylog.example.net:9000/api', api_token: 'planted-token' },
      events_enabled: true,
      events_options: { lookback_hours: 24 },
      metrics_enabled: false,
      metrics_options: {},
    },
  ]);
  expect(screen.queryByText('Leave without saving?')).toBeNull();
});

test('a connector that is being saved is saved once, also when somebody types on', async () => {
  const put: unknown[] = [];
  let answer: () => void = () => undefined;
  const { at: where } = at('/integrations/new/graylog', {
    [`GET ${api}/connectors`]: () => Response.json([]),
    [`PUT ${api}/connectors`]: ({ body }) => {
      put.push(body);
      return new Promise((resolve) => {
        answer = () => resolve(Response.json(connector({ state: 'pending' })));
      });
    },
  });
  await screen.findByLabelText('Access token');
  type('Address of the API', 'https://graylog.example.net:9000/api');
  type('Access token', 'planted-token');
  press('Save');
  await waitFor(() => expect(put).toHaveLength(1));
  type('Access token', 'planted-token-2');
  press('Save');
  answer();
  await waitFor(() => expect(where()).toBe(one));
  expect(put).toHaveLength(1);
});

test('what is typed while the settings of a connector are saved stays, as the next change', async () => {
  const changes: unknown[] = [];
  let answer: () => void = () => undefined;
  at(`${one}?panel=settings`, {
    [`PATCH ${api}/connectors/${connectorId}`]: ({ body }) => {
      changes.push(body);
      return new Promise((resolve) => {
        answer = () => resolve(Response.json(connector({ name: 'First', last_updated: '2026-11-22T00:00:00.000Z' })));
      });
    },
  });
  await screen.findByLabelText('Name');
  type('Name', 'First');
  press('Save changes');
  await waitFor(() => expect(changes).toHaveLength(1));
  type('Name', 'First and second');
  answer();
  await screen.findByText('Changes saved');
  expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('First and second');
  press('Save changes');
  await waitFor(() => expect(changes).toHaveLength(2));
  expect(changes[1]).toEqual({ name: 'First and second', last_updated: '2026-11-22T00:00:00.000Z' });
});

test('a failed test says why, belongs to what was tested, and does not forbid saving', async () => {
  at('/integrations/new/graylog', {
    [`POST ${api}/validate_connector_configuration`]: () => {
      const test = { status: 'error', message: 'Graylog refused the credentials.', metadata: {}, duration_ms: 9 };
      return Response.json({ valid: true, errors: [], test });
    },
  });
  await screen.findByLabelText('Access token');
  type('Address of the API', 'https://graylog.example.net');
  type('Access token', 'x');
  press('Test connection');
  await screen.findByText('Graylog refused the credentials.');
  expect(screen.getByRole('button', { name: 'Save although the test failed' })).toBeTruthy();
  type('Access token', 'y');
  expect(screen.getByText('The configuration was changed after this test.')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Save' })).toBeTruthy();
});

test('what the server refuses is said at its field, which gets the focus', async () => {
  at('/integrations/new/graylog', {
    [`PUT ${api}/connectors`]: () => refused([{ path: 'config.api_token', message: 'is too short' }]),
  });
  await screen.findByLabelText('Access token');
  type('Address of the API', 'https://graylog.example.net');
  type('Access token', 'x');
  press('Save');
  await screen.findAllByText(/Access token is too short\./);
  expect(document.activeElement).toBe(screen.getByLabelText('Access token'));
});

test('leaving what was filled in asks first', async () => {
  at('/integrations/new/graylog');
  await screen.findByLabelText('Access token');
  type('Access token', 'x');
  fireEvent.click(screen.getByRole('link', { name: 'Cancel' }));
  expect(await screen.findByText('Leave without saving?')).toBeTruthy();
});

test('an integration that is no longer offered cannot be set up', async () => {
  at('/integrations/new/graylog', {
    [`GET ${api}/available_integrations/graylog`]: () => Response.json({ ...graylogDetail, visible: false }),
  });
  expect(await screen.findByText('Graylog is no longer offered')).toBeTruthy();
});

test('one integration is tested, paused and made the default', async () => {
  let now = connector({ default: false });
  const calls: string[] = [];
  const note = (name: string, more: Partial<Connector>) => () => {
    calls.push(name);
    now = { ...now, ...more };
    return Response.json(now);
  };
  at(one, {
    [`GET ${api}/connectors/${connectorId}`]: () => Response.json(now),
    [`POST ${api}/connectors/${connectorId}/test`]: () => {
      now = { ...now, state: 'error', test_connection_status: 'error', test_connection_message: 'No answer.' };
      return Response.json({ status: 'error', message: 'No answer.', metadata: {}, duration_ms: 9 });
    },
    [`POST ${api}/connectors/${connectorId}/pause`]: note('pause', { state: 'paused', enabled: false }),
    [`PATCH ${api}/connectors/${connectorId}`]: ({ body }) => note(JSON.stringify(body), { default: true })(),
  });
  expect(await screen.findByText('Graylog 6.1 answered.')).toBeTruthy();
  press('Test now');
  expect(await screen.findByText('No answer.')).toBeTruthy();
  press('Make default');
  await screen.findByText(/taken by actions that name no connector/);
  press('Pause');
  await screen.findByRole('button', { name: 'Resume' });
  expect(calls).toEqual(['{"default":true}', 'pause']);
});

test('deleting happens only after the question of the server was answered', async () => {
  const confirm = { title: 'Delete Main Graylog?', text: 'Two playbooks use it.', action_label: 'Delete integration' };
  const refusal = { code: 'CONFIRMATION_REQUIRED', request_id: 'r', confirm };
  let asked = 0;
  const {
    at: where,
    state,
    app,
  } = at(one, {
    [`DELETE ${api}/connectors/${connectorId}`]: async () => {
      asked += 1;
      if (asked === 1) return Response.json({ message: 'Confirm.', ...refusal }, { status: 449 });
      // Announced before it is answered.
      await app.queryClient.invalidateQueries();
      return new Response(null, { status: 204 });
    },
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Delete…' }));
  const dialog = await screen.findByRole('dialog', { name: 'Delete Main Graylog?' });
  expect(dialog.textContent).toContain('Two playbooks use it.');
  fireEvent.click(within(dialog).getByRole('button', { name: 'Delete integration' }));
  await waitFor(() => expect(where()).toBe('/integrations'));
  const gets = state.asked.filter((call) => call === `GET ${api}/connectors/${connectorId}`).length;
  expect(gets).toBe(1);
});

test('what was announced while the question was open is read when it is left', async () => {
  const confirm = { title: 'Delete Main Graylog?', text: 'It is used.', action_label: 'Delete' };
  let name = 'Main Graylog';
  const { app } = at(one, {
    [`GET ${api}/connectors/${connectorId}`]: () => Response.json(connector({ name })),
    [`DELETE ${api}/connectors/${connectorId}`]: () =>
      Response.json({ message: 'Confirm.', code: 'CONFIRMATION_REQUIRED', request_id: 'r', confirm }, { status: 449 }),
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Delete…' }));
  const dialog = await screen.findByRole('dialog', { name: 'Delete Main Graylog?' });
  name = 'Renamed';
  await app.queryClient.invalidateQueries();
  fireEvent.click(within(dialog).getAllByRole('button', { name: 'Cancel' }).at(-1) as HTMLElement);
  expect(await screen.findByRole('heading', { level: 1, name: 'Renamed' })).toBeTruthy();
});

test('health shows tests and fetches as one history, with what comes next', async () => {
  at(`${one}?panel=health`);
  const table = await screen.findByRole('table');
  const rows = [...table.querySelectorAll('tbody tr')].map((row) => row.textContent);
  expect(rows[0]).toMatch(/Events.*Success.*17 events fetched/);
  expect(rows[1]).toMatch(/Test.*Error.*refused the credentials.*VENDOR_CREDENTIALS_REFUSED.*By hand/);
  expect(rows[0]).toContain('900 ms');
  // Nothing was asked for it, so that nothing took any time.
  expect(rows[2]).toMatch(/It was left out.*Schedule–$/);
  expect(screen.getByText(/3 failures in a row/).parentElement?.textContent).toMatch(/^Now/);
});

test('health that does not load leaves the rest of the screen', async () => {
  at(`${one}?panel=health`, { [`GET ${api}/connectors/${connectorId}/health`]: () => failure(403, 'ROLE_TOO_LOW') });
  expect(await screen.findByText(/Unable to load the health/)).toBeTruthy();
  expect(screen.getByRole('heading', { level: 1, name: 'Main Graylog' })).toBeTruthy();
});

test('a secret is rotated alone: nothing else is sent, and the saved one never was in the page', async () => {
  const bodies: unknown[] = [];
  at(`${one}?panel=settings`, {
    [`PATCH ${api}/connectors/${connectorId}`]: ({ body }) => {
      bodies.push(body);
      return Response.json(connector({ last_updated: '2026-02-01T00:00:00.000Z' }));
    },
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Replace access token' }));
  type('Access token', 'rotated');
  press('Save changes');
  await screen.findByRole('button', { name: 'Replace access token' });
  expect(bodies).toEqual([{ config: { api_token: 'rotated' }, last_updated: '2026-01-01T00:00:00.000Z' }]);
  expect(document.body.innerHTML).not.toContain('rotated');
});

test('somebody else was faster: nothing is written over, and what was changed is kept', async () => {
  let now = connector();
  const bodies: unknown[] = [];
  const { app } = at(`${one}?panel=settings`, {
    [`GET ${api}/connectors/${connectorId}`]: () => Response.json(now),
    [`PATCH ${api}/connectors/${connectorId}`]: ({ body }) => {
      bodies.push(body);
      const { last_updated } = body as { last_updated: string };
      return last_updated === now.last_updated
        ? Response.json(now)
        : overtaken('body.last_updated', 'Somebody else changed it.');
    },
  });
  fireEvent.change(await screen.findByLabelText('Name'), { target: { value: 'Mine' } });
  // A colleague saves meanwhile, and the connector is read again beneath the form.
  now = connector({
    name: 'Theirs',
    config: { ...now.config, verify: false },
    last_updated: '2026-02-01T00:00:00.000Z',
  });
  await app.queryClient.invalidateQueries({ queryKey: [ownTenant, 'connectors'] });
  press('Save changes');
  await screen.findByText(/Somebody else changed it/);
  press('Load it again, keep what I typed');
  await waitFor(() => expect(screen.queryByText(/Somebody else changed it/)).toBeNull());
  expect(within(screen.getByText(/^Saved meanwhile/)).getByRole('listitem').textContent).toBe('Name Theirs');
  expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Mine');
  expect(screen.getByLabelText<HTMLInputElement>('Check the certificate').checked).toBe(false);
  press('Save changes');
  await waitFor(() => expect(bodies).toHaveLength(2));
  expect(bodies[1]).toEqual({ name: 'Mine', last_updated: '2026-02-01T00:00:00.000Z' });
});

test('what only sends is not said to have answered', async () => {
  const silent = connector({ state: 'active', last_successful_connection: null, test_connection_status: 'skipped' });
  at(one, { [`GET ${api}/connectors/${connectorId}`]: () => Response.json(silent) });
  expect(await screen.findByText('Switched on. Nothing of it is asked.')).toBeTruthy();
  expect(screen.queryByText('It answered the last time it was asked.')).toBeNull();
});

const gone = () => failure(404, 'NOT_FOUND', 'This connector does not exist. It may have been removed.');
const removed = async () => {
  expect(await screen.findByText('Unable to load integration details.')).toBeTruthy();
  expect(screen.getByText('The integration may have been removed.')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'All integrations' }).getAttribute('href')).toBe('/integrations');
};

test('an integration that is gone is said to be, and the list is a step away', async () => {
  at(one, { [`GET ${api}/connectors/${connectorId}`]: gone });
  await removed();
  expect(screen.queryByText("We couldn't find the page you were looking for")).toBeNull();
});

test('an address that cannot be one of an integration leads nowhere', async () => {
  at('/integrations/nothing');
  expect(await screen.findByText("We couldn't find the page you were looking for")).toBeTruthy();
});

test('one that somebody deletes while it is shown has no buttons any more that would only fail', async () => {
  let answer = () => Response.json(connector());
  const { app } = at(one, { [`GET ${api}/connectors/${connectorId}`]: () => answer() });
  await screen.findByRole('button', { name: 'Pause' });
  answer = gone;
  await app.queryClient.invalidateQueries({ queryKey: [ownTenant, 'connectors'] });
  await removed();
  expect(screen.queryByRole('button', { name: 'Pause' })).toBeNull();
});

test('one that cannot be read again for now stays as it was known', async () => {
  let answer = () => Response.json(connector());
  const { app } = at(one, { [`GET ${api}/connectors/${connectorId}`]: () => answer() });
  await screen.findByRole('button', { name: 'Pause' });
  answer = () => failure(403, 'ROLE_TOO_LOW');
  await app.queryClient.invalidateQueries({ queryKey: [ownTenant, 'connectors'] });
  expect(screen.getByRole('button', { name: 'Pause' })).toBeTruthy();
});

test('a name that is taken is said at the name, and reading again is not offered', async () => {
  const message = 'There is already a connector named "Taken".';
  at(`${one}?panel=settings`, {
    [`PATCH ${api}/connectors/${connectorId}`]: () =>
      Response.json(
        { message, code: 'CONFLICT', details: [{ path: 'name', message }], request_id: 'req-9' },
        { status: 409 },
      ),
  });
  fireEvent.change(await screen.findByLabelText('Name'), { target: { value: 'Taken' } });
  press('Save changes');
  expect(await screen.findAllByText(message)).toHaveLength(1);
  expect(screen.getByLabelText('Name').getAttribute('aria-invalid')).toBe('true');
  expect(document.activeElement).toBe(screen.getByLabelText('Name'));
  expect(screen.queryByRole('button', { name: 'Load it again, keep what I typed' })).toBeNull();
});

test('beside the form stands how to get the credentials, and what is not confirmed', async () => {
  at('/integrations/new/graylog');
  const panel = within(await screen.findByRole('region', { name: 'How to get the credentials' }));
  expect(panel.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Create a user for this.',
    'Give it a token under Edit tokens.',
    'streams:read',
    'Messages come in the order of their time.',
    'Times are in UTC.',
  ]);
  expect(panel.getByText('Not confirmed (1)')).toBeTruthy();
  expect(panel.getByRole('link').getAttribute('href')).toBe('https://graylog.example/api');
});

test('one integration names its actions as people do', async () => {
  at(one, {
    [`GET ${api}/soar/available_actions`]: () =>
      Response.json([action('graylog.get_streams', { friendly_name: 'List streams' })]),
  });
  const link = await screen.findByRole('link', { name: 'List streams' });
  expect(link.getAttribute('href')).toContain('graylog.get_streams');
});

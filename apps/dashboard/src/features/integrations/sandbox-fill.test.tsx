import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ownTenant, userWith } from '../../session/fixtures.ts';
import { failure, type Given, showApp } from '../../test-app.tsx';
import { graylogDetail } from './integrations-fixture.ts';

// The screen is a file of its own, and loads with its form.
vi.setConfig({ testTimeout: 60_000 });
const api = `/api/tenants/${ownTenant}`;
const ASK = 'GET /demo/connections';
const sandbox = { base_url: 'http://127.0.0.1:9/graylog', api_token: 'opens-the-sandbox' };

function form(given: Given = {}) {
  return showApp('/integrations/new/graylog', {
    me: userWith({ own: 'SystemManager' }),
    stage: 'local',
    mockData: true,
    ...given,
    answers: {
      [`GET ${api}/connectors`]: () => Response.json([]),
      [`GET ${api}/available_integrations/graylog`]: () => Response.json(graylogDetail),
      [ASK]: () => Response.json([{ definition_id: 'graylog', config: sandbox }]),
      ...given.answers,
    },
  });
}
const button = () => screen.queryByRole('button', { name: 'Fill in the sandbox' });
const asked = ({ state }: ReturnType<typeof form>) => state.asked.filter((call) => call === ASK).length;

test('it fills in address and credentials, keeps everything else, and saves what was filled in', async () => {
  const put: unknown[] = [];
  form({
    answers: {
      [`PUT ${api}/connectors`]: ({ body }) => {
        put.push(body);
        return failure(409, 'CONFLICT');
      },
    },
  });
  fireEvent.change(await screen.findByLabelText('Name'), { target: { value: 'Training' } });
  fireEvent.click(screen.getByLabelText('Check the certificate'));
  fireEvent.click(await screen.findByRole('button', { name: 'Fill in the sandbox' }));
  expect(screen.getByLabelText<HTMLInputElement>('Address of the API').value).toBe(sandbox.base_url);
  // Still a secret: nobody reads it over a shoulder.
  expect(screen.getByLabelText<HTMLInputElement>('Access token').type).toBe('password');
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(put).toHaveLength(1));
  expect(put[0]).toMatchObject({ name: 'Training', config: { ...sandbox, verify: false } });
});

test('what was wrong with the fields is no longer said', async () => {
  form();
  await screen.findByRole('button', { name: 'Fill in the sandbox' });
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(screen.getByText('2 fields need another look.')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Fill in the sandbox' }));
  expect(screen.queryByText('2 fields need another look.')).toBeNull();
});

test('without an entry for the vendor there is no button, and a list that does not load leaves the form', async () => {
  const first = form({ answers: { [ASK]: () => Response.json([{ definition_id: 'okta', config: sandbox }]) } });
  await waitFor(() => expect(asked(first)).toBe(1));
  await screen.findByLabelText('Access token');
  expect(button()).toBeNull();
  first.leave();
  const second = form({ answers: { [ASK]: () => failure(404, 'ROUTE_NOT_FOUND') } });
  await waitFor(() => expect(asked(second)).toBe(1));
  expect(await screen.findByLabelText('Access token')).toBeTruthy();
  expect(button()).toBeNull();
});

test.each<Given>([{ stage: 'prod' }, { stage: 'dev' }, { mockData: false }])(
  'with %o the sandbox is not even asked for',
  async (given) => {
    const app = form(given);
    await screen.findByLabelText('Access token');
    expect(asked(app)).toBe(0);
    expect(button()).toBeNull();
  },
);

import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ownTenant, userWith } from '../../../session/fixtures.ts';
import { failure, type Given, showApp, visit } from '../../../test-app.tsx';
import { graylog, graylogDetail } from '../integrations-fixture.ts';
import { description, imported } from './import-fixture.ts';

// Screens are files of their own, and load with their forms.
vi.setConfig({ testTimeout: 60_000 });
const api = `/api/tenants/${ownTenant}`;
const UPLOAD = `POST ${api}/openapi/documents`;
const IMPORT = `POST ${api}/openapi/integrations`;
const own = {
  ...graylogDetail,
  id: imported.definition_id,
  name: 'Inventory',
  imported: true,
  actions: imported.actions,
};

function at(address: string, answers: Given['answers'] = {}) {
  let isThere = address.includes('own_');
  return showApp(address, {
    me: userWith({ own: 'SystemManager' }),
    answers: {
      [`GET ${api}/connectors`]: () => Response.json([]),
      [`GET ${api}/openapi/integrations`]: () => Response.json(isThere ? [imported] : []),
      [`GET ${api}/available_integrations`]: () => Response.json(isThere ? [graylog, own] : [graylog]),
      [`GET ${api}/available_integrations/${own.id}`]: () => Response.json(own),
      [`GET ${api}/soar/available_actions`]: () => Response.json([]),
      [UPLOAD]: () => Response.json(description, { status: 201 }),
      [IMPORT]: () => {
        isThere = true;
        return Response.json(imported, { status: 201 });
      },
      ...answers,
    },
  });
}
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const paste = async (text = 'openapi: 3.0.3') => {
  fireEvent.change(await screen.findByLabelText('Description as JSON or YAML'), { target: { value: text } });
  press('Read the text');
};

test('below System Manager nobody enters', async () => {
  expect((await visit('/integrations/new/import', { me: userWith({ own: 'Analyst' }) })).at).toBe('/unauthorized');
});

test('from the catalogue to the form of the new integration', async () => {
  const sent: unknown[] = [];
  const app = at('/integrations/new', {
    [IMPORT]: ({ body }) => {
      sent.push(body);
      return Response.json(imported, { status: 201 });
    },
  });
  fireEvent.click(await screen.findByRole('link', { name: 'Import an API' }));
  await paste();
  expect(await screen.findByText('The document names 2 addresses; the first is taken.')).toBeTruthy();
  press('Import');
  expect(await screen.findByText('Choose the operations that become actions.')).toBeTruthy();
  fireEvent.click(screen.getByRole('checkbox', { name: 'All of Hosts' }));
  expect(screen.getByText('2 of 3 chosen · 1 destroys something')).toBeTruthy();
  expect((screen.getByRole('checkbox', { name: /Add a photo/ }) as HTMLInputElement).disabled).toBe(true);
  press('Import');
  await waitFor(() => expect(app.at()).toBe(`/integrations/new/${own.id}`));
  expect(await screen.findByRole('heading', { level: 1, name: 'Connect Inventory' })).toBeTruthy();
  expect(sent).toEqual([
    {
      document_id: description.id,
      operations: ['GET /hosts', 'DELETE /hosts/{id}'],
      name: 'Inventory',
      base_url: 'https://inventory.example/v1',
    },
  ]);
  // Read again, although both were fresh.
  expect(app.state.asked.filter((call) => call === `GET ${api}/openapi/integrations`).length).toBeGreaterThan(1);
});

test('a file that is too large is not sent; one that is no description says why and can be replaced', async () => {
  const { state } = at('/integrations/new/import', { [UPLOAD]: () => failure(400, 'VALIDATION_FAILED') });
  const input = await screen.findByLabelText('Description of the API', { selector: 'input' });
  const large = new File([new Uint8Array(5 * 1_048_576 + 1)], 'large.yaml');
  fireEvent.change(input, { target: { files: [large] } });
  expect(await screen.findByText('It has 5.0 MB; at most 5 MB can be read.')).toBeTruthy();
  expect(state.asked).not.toContain(UPLOAD);
  fireEvent.change(input, { target: { files: [new File(['{}'], 'other.json')] } });
  await waitFor(() => expect(state.asked).toContain(UPLOAD));
  await waitFor(() => expect(screen.getAllByRole('alert').length).toBe(1));
  expect(screen.getByRole('button', { name: 'Choose a file' })).toBeTruthy();
});

test('what the server refuses stands at its field, and a name that is taken in a note', async () => {
  let answers = 0;
  at('/integrations/new/import', {
    [IMPORT]: () => {
      answers += 1;
      return answers === 1
        ? Response.json(
            {
              message: 'No.',
              code: 'VALIDATION_FAILED',
              request_id: 'req-1',
              details: [{ path: 'body.base_url', message: 'Not this address.' }],
            },
            { status: 400 },
          )
        : Response.json(
            {
              message: 'There is already an imported integration named "Inventory".',
              code: 'CONFLICT',
              request_id: 'r',
            },
            { status: 409 },
          );
    },
  });
  await paste();
  fireEvent.click(await screen.findByRole('checkbox', { name: /List hosts/ }));
  press('Import');
  expect(await screen.findByText('Not this address.')).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByLabelText('Address of the API'));
  press('Import');
  expect(await screen.findByText(/already an imported integration named/)).toBeTruthy();
});

test('imported again it begins with what it has, and what it loses is asked about', async () => {
  const sent: unknown[] = [];
  const asked = { title: 'Import Inventory without actions that are used?', text: 'Used.', action_label: 'Import' };
  const app = at(`/integrations/new/${own.id}`, {
    [IMPORT]: ({ body, headers }) => {
      sent.push([body, headers.get('x-air-confirm'), headers.get('idempotency-key')]);
      return sent.length < 3
        ? Response.json(
            { message: '', code: 'CONFIRMATION_REQUIRED', request_id: 'r', confirm: asked },
            { status: 449 },
          )
        : Response.json({ ...imported, version: 2 }, { status: 201 });
    },
  });
  fireEvent.click(await screen.findByRole('link', { name: 'Import again' }));
  await paste();
  const list = await screen.findByRole<HTMLInputElement>('checkbox', { name: /List hosts/ });
  expect(list.checked).toBe(true);
  expect(screen.getByText('1 of 3 chosen')).toBeTruthy();
  fireEvent.click(list);
  fireEvent.click(screen.getByRole('checkbox', { name: /Delete a host/ }));
  const question = async () => within(await screen.findByRole('dialog', { name: asked.title }));
  press('Import the new version');
  fireEvent.click((await question()).getByText('Cancel', { selector: 'button *' }));
  // Left, nothing has happened, and what was chosen is there.
  const again = await screen.findByRole<HTMLButtonElement>('button', { name: 'Import the new version' });
  await waitFor(() => expect(again.disabled).toBe(false));
  expect(screen.getByText('1 of 3 chosen · 1 destroys something')).toBeTruthy();
  expect(screen.queryByRole('alert')).toBeNull();
  press('Import the new version');
  fireEvent.click((await question()).getByRole('button', { name: 'Import' }));
  await waitFor(() => expect(app.at()).toBe(`/integrations/new/${own.id}`));
  const body = {
    ...{ document_id: description.id, operations: ['DELETE /hosts/{id}'], name: 'Inventory' },
    ...{ base_url: 'https://inventory.example/v1', replaces: { id: imported.id, version: 1 } },
  };
  const key = expect.any(String);
  expect(sent).toEqual([
    [body, null, key],
    [body, null, key],
    [body, 'true', key],
  ]);
  expect(sent.map((each) => (each as unknown[])[2])).toEqual(Array(3).fill((sent[0] as unknown[])[2]));
});

test('an imported integration shows where it comes from and is deleted after the question', async () => {
  let isGone = false;
  let asked = 0;
  const app = at(`/integrations/new/${own.id}`, {
    [`GET ${api}/available_integrations`]: () => Response.json(isGone ? [graylog] : [graylog, own]),
    [`DELETE ${api}/openapi/integrations/${imported.id}`]: () => {
      asked += 1;
      if (asked === 1) {
        const confirm = { title: 'Delete Inventory?', text: 'Its actions are deleted.', action_label: 'Delete' };
        return Response.json({ message: '', code: 'CONFIRMATION_REQUIRED', request_id: 'r', confirm }, { status: 449 });
      }
      isGone = true;
      return new Response(null, { status: 204 });
    },
  });
  await screen.findByText('ana.souza@example.com');
  const panel = within(screen.getByRole('region', { name: 'Imported' }));
  fireEvent.click(panel.getByRole('button', { name: 'Delete…' }));
  const question = within(await screen.findByRole('dialog', { name: 'Delete Inventory?' }));
  fireEvent.click(question.getByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(app.at()).toBe('/integrations/new'));
  await waitFor(() => expect(screen.queryByText('Imported · this tenant only')).toBeNull());
});

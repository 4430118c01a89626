import type { ShippedPlaybook } from '@airdeck/contracts/playbooks/schema';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { toasts } from '../../../lib/toasts.ts';
import { ownTenant } from '../../../session/fixtures.ts';
import { failure, type Given, showApp } from '../../../test-app.tsx';
import { playbook, playbookId } from '../playbook-fixtures.ts';
// Loaded with the file, or the first test would wait for it.
import './library-dialog.tsx';

vi.setConfig({ testTimeout: 60_000 });
const api = `/api/tenants/${ownTenant}`;
const LIBRARY = `${api}/soar/playbooks/library`;

function shipped(key: string, fields: Partial<ShippedPlaybook> = {}): ShippedPlaybook {
  return {
    key,
    name: `About ${key}`,
    description: `Does what ${key} needs.`,
    integrations: ['okta', 'jira'],
    playbook_id: null,
    ...fields,
  };
}

const library = [
  shipped('phishing', { integrations: ['okta', 'jira', 'slack'] }),
  shipped('spray', { playbook_id: playbookId(1) }),
  shipped('malware', { description: 'Looks a hash up.', integrations: [] }),
];

/** A server with three shipped playbooks, one of them copied, on the list of playbooks. */
function open({ answers = {} }: Pick<Given, 'answers'> = {}) {
  const sent: unknown[] = [];
  const there = { playbooks: [playbook(1)], library };
  const app = showApp('/playbooks/', {
    answers: {
      [`GET ${api}/soar/playbooks`]: () => Response.json(there.playbooks),
      [`GET ${LIBRARY}`]: () => Response.json(there.library),
      [`GET ${api}/available_integrations`]: () =>
        Response.json([
          { id: 'okta', name: 'Okta' },
          { id: 'jira', name: 'Jira' },
        ]),
      [`GET ${api}/connectors`]: () =>
        Response.json([
          { definition_id: 'okta', state: 'paused', enabled: false },
          { definition_id: 'okta', state: 'active', enabled: true },
          { definition_id: 'jira', state: 'error', enabled: true },
        ]),
      [`POST ${LIBRARY}`]: ({ body }) => {
        sent.push(body);
        there.playbooks = [playbook(1), playbook(2)];
        there.library = library.map((each) => ({ ...each, playbook_id: each.playbook_id ?? playbookId(2) }));
        return Response.json(there.library);
      },
      ...answers,
    },
  });
  return { ...app, sent };
}

const press = async () => {
  fireEvent.click((await screen.findAllByRole('button', { name: 'From the library' }))[0] as HTMLElement);
  return within(await screen.findByRole('dialog', { name: 'Playbooks from the library' }));
};
const items = () => within(screen.getByRole('list', { name: 'Library' })).getAllByRole('checkbox');

test('each says what it calls, and whether that can be called here', async () => {
  open();
  const dialog = await press();
  await dialog.findByText('About phishing');
  await dialog.findAllByText('not working');
  const vendors = within(dialog.getByRole('list', { name: 'What About phishing calls' }));
  // By the catalogue's name; one it does not know by its id. One connector that works is enough.
  await waitFor(() =>
    expect(vendors.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'Okta connected',
      'Jira not working',
      'slack not connected',
    ]),
  );
});

test('without the list of connectors nothing is claimed about them', async () => {
  open({ answers: { [`GET ${api}/connectors`]: () => failure(403, 'ROLE_TOO_LOW') } });
  const dialog = await press();
  await dialog.findAllByText('Okta');
  expect(dialog.queryByText(/connected|not working/)).toBeNull();
  expect(items()).toHaveLength(2);
});

test('what is chosen is sent, once; then it stands in the list, is said, and is there already', async () => {
  const { sent } = open();
  const dialog = await press();
  const add = await dialog.findByRole('button', { name: 'Add playbooks' });
  fireEvent.click(add);
  expect(sent).toEqual([]);
  fireEvent.click(dialog.getByRole('checkbox', { name: 'About phishing' }));
  fireEvent.click(dialog.getByRole('checkbox', { name: 'Choose all 2 shown' }));
  fireEvent.click(dialog.getByRole('checkbox', { name: 'About phishing' }));
  fireEvent.click(dialog.getByRole('button', { name: 'Add 1 playbook' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent).toEqual([{ keys: ['malware'] }]);
  expect(await screen.findByText('Playbook 2')).toBeTruthy();
  const said: string[] = [];
  toasts.drainTo(({ message }) => said.push(message))();
  expect(said).toEqual(['About malware added']);
  const again = await press();
  expect(again.queryAllByRole('checkbox')).toEqual([]);
  expect(again.getByRole('button', { name: 'Add playbooks' }).getAttribute('aria-disabled')).toBe('true');
});

test('one that is there cannot be chosen, and leads to the copy', async () => {
  const { at } = open();
  const dialog = await press();
  const link = await dialog.findByRole('link', { name: 'Open your copy of About spray' });
  expect(dialog.queryByRole('checkbox', { name: 'About spray' })).toBeNull();
  fireEvent.click(link);
  await waitFor(() => expect(at()).toContain(playbookId(1)));
});

test('the search looks at names, descriptions and vendors; what was chosen stays chosen', async () => {
  const { sent } = open();
  const dialog = await press();
  fireEvent.click(await dialog.findByRole('checkbox', { name: 'About phishing' }));
  const type = (value: string) => fireEvent.change(dialog.getByRole('searchbox'), { target: { value } });
  type('HASH looks');
  expect(items()).toHaveLength(1);
  type('slack');
  expect(dialog.getByRole('checkbox', { name: 'About phishing' })).toHaveProperty('checked', true);
  type('nothing like it');
  expect(dialog.getByText('Nothing in the library fits “nothing like it”.')).toBeTruthy();
  fireEvent.click(dialog.getByRole('button', { name: 'Add 1 playbook' }));
  await waitFor(() => expect(sent).toEqual([{ keys: ['phishing'] }]));
});

test('a refusal is said in the dialog, which keeps what was chosen', async () => {
  open({
    answers: { [`POST ${LIBRARY}`]: () => failure(409, 'CONFLICT', 'A tenant has 500 playbooks at most.') },
  });
  const dialog = await press();
  fireEvent.click(await dialog.findByRole('checkbox', { name: 'About phishing' }));
  fireEvent.click(dialog.getByRole('button', { name: 'Add 1 playbook' }));
  expect((await dialog.findByRole('alert')).textContent).toContain('500 playbooks at most');
  expect(dialog.getByRole('button', { name: 'Add 1 playbook' })).toBeTruthy();
});

test('a library that does not load says so and can be asked for again', async () => {
  let broken = true;
  open({
    answers: { [`GET ${LIBRARY}`]: () => (broken ? failure(400, 'VALIDATION_FAILED') : Response.json(library)) },
  });
  const dialog = await press();
  await dialog.findByText('Unable to load the library of playbooks.');
  broken = false;
  fireEvent.click(dialog.getByRole('button', { name: 'Try again' }));
  await dialog.findByText('About phishing');
});

test('where there are no playbooks, the library is the first thing offered', async () => {
  open({ answers: { [`GET ${api}/soar/playbooks`]: () => Response.json([]) } });
  const state = (await screen.findByRole('heading', { name: 'No playbooks yet' })).parentElement as HTMLElement;
  expect(state.querySelector('button, a')?.textContent).toBe('From the library');
  fireEvent.click(within(state).getByRole('button', { name: 'From the library' }));
  await screen.findByRole('dialog', { name: 'Playbooks from the library' });
});

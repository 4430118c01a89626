import type { DraftDefinition, PlaybookDraft, PlaybookProblem } from '@airdeck/contracts/playbooks/schema';
import { EditorView } from '@codemirror/view';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import { toasts } from '../../../lib/toasts.ts';
import { ownTenant, userWith } from '../../../session/fixtures.ts';
import { failure, type Given, showApp, visit } from '../../../test-app.tsx';
import { action } from './builder-fixtures.ts';
// Loaded with the file, or the first test would wait for it.
import './code/code-view.tsx';
import './graph/builder-graph.tsx';

vi.setConfig({ testTimeout: 60_000 });
// The editor asks where its text stands, and jsdom lays nothing out.
Range.prototype.getClientRects = () => [] as unknown as DOMRectList;
const ID = '01920000-0000-7000-8000-000000000701';
const api = `/api/tenants/${ownTenant}`;
const playbooks = `${api}/soar/playbooks`;
const block = action('fortigate.block_address', { friendly_name: 'Block address' });

const definition: DraftDefinition = {
  metadata: { name: 'Block it', description: '', author: '', updated_by: '' },
  inputs: { type: 'object', properties: { ip: { type: 'string', title: 'Address to block' } }, required: ['ip'] },
  actions: [
    { id: 'ask', kind: 'prompt', message: 'Block?', options: [{ value: 'yes', label: 'Yes' }] },
    {
      id: 'block',
      kind: 'action',
      action: 'fortigate.block_address',
      depends_on: ['ask'],
      when: "actions.ask.output.option == 'yes'",
      input: { address: '{{ inputs.ip }}' },
    },
  ],
  outputs: { answer: '{{ actions.ask.output.option }}' },
  exec_options: {},
};

type Wanted = {
  draft?: Partial<PlaybookDraft>;
  version?: number;
  found?: PlaybookProblem[];
  given?: Given['answers'];
  at?: string;
};

function builder({ draft = {}, version = 2, found = [], given = {}, at = `/playbooks/${ID}/edit` }: Wanted = {}) {
  const saves: { definition: DraftDefinition; revision: number; based_on: number }[] = [];
  const stored: PlaybookDraft = {
    playbook_id: ID,
    definition,
    revision: 4,
    updated_at: '2026-11-21T10:31:00.000Z',
    updated_by: 'maria@northwind.example',
    problems: [],
    ...draft,
  };
  const app = showApp(at, {
    answers: {
      [`GET ${playbooks}/${ID}/draft`]: () => Response.json(stored),
      [`GET ${playbooks}/${ID}`]: () => Response.json({ ...definition, id: ID, version }),
      [`GET ${playbooks}`]: () => Response.json([]),
      [`GET ${api}/soar/available_actions`]: () => Response.json([block]),
      [`GET ${api}/connectors`]: () => Response.json([]),
      [`POST ${playbooks}/validate`]: () => Response.json({ valid: found.length === 0, problems: found }),
      [`PUT ${playbooks}/${ID}/draft`]: ({ body }) => {
        saves.push(body as (typeof saves)[number]);
        return Response.json({ ...stored, revision: stored.revision + saves.length });
      },
      ...given,
    },
  });
  return { ...app, saves };
}

const side = () => within(screen.getByRole('complementary', { name: 'Details' }));
const node = (name: RegExp) => screen.findByRole('button', { name, hidden: true });
const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }));
const type = (label: string | RegExp, value: string) =>
  fireEvent.change(screen.getByRole('textbox', { name: label }), { target: { value } });
const save = () => fireEvent.keyDown(screen.getByRole('toolbar', { name: 'Editing' }), { key: 's', ctrlKey: true });

/** The text editor of the builder; what is put in it is as if typed. */
async function yamlEditor() {
  const content = await screen.findByRole('textbox', { name: 'Playbook as YAML' });
  const view = EditorView.findFromDOM(content);
  if (view === null) throw new Error('There is no editor.');
  return {
    text: () => view.state.doc.toString(),
    type: (insert: string) => {
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert } });
      // What is typed is read at the latest when the focus goes elsewhere.
      fireEvent.focusOut(content);
    },
    undo: () => {
      fireEvent.keyDown(content, { key: 'z', keyCode: 90, ctrlKey: true });
      fireEvent.focusOut(content);
    },
  };
}
const reasonAt = (name: string) => screen.getByRole('button', { name }).getAttribute('aria-description');
const UNREAD = 'The YAML cannot be read. Mend it first.';

test('Read Only has no business there', async () => {
  for (const address of [`/playbooks/${ID}/edit`, '/playbooks/new']) {
    expect((await visit(address, { me: userWith({ own: 'ReadOnly' }) })).at).toBe('/unauthorized');
  }
});

test('an id that is none is not found, and asks nothing', async () => {
  const { state } = await visit('/playbooks/nonsense/edit');
  expect(state.asked.filter((call) => call.includes('/draft'))).toEqual([]);
});

test('a step opens beside the graph; renamed, everything that names it follows and is saved', async () => {
  const { saves } = builder();
  fireEvent.click(await node(/^Ask, Question, runs at the start$/));
  type('Id', 'approve');
  fireEvent.blur(screen.getByRole('textbox', { name: 'Id' }));
  save();
  await waitFor(() => expect(saves).toHaveLength(1));
  expect(saves[0]).toMatchObject({
    revision: 4,
    based_on: 2,
    definition: {
      actions: [{ id: 'approve' }, { depends_on: ['approve'], when: "actions.approve.output.option == 'yes'" }],
      outputs: { answer: '{{ actions.approve.output.option }}' },
    },
  });
});

test('a field becomes an expression, and what can be read there is put in by picking', async () => {
  const actions = [{ ...definition.actions[1], input: {} }, definition.actions[0]] as DraftDefinition['actions'];
  const { saves } = builder({ draft: { definition: { ...definition, actions } } });
  fireEvent.click(await node(/^Block, /));
  fireEvent.click(side().getByRole('radio', { name: 'Expression' }));
  press('Insert reference into Address');
  fireEvent.change(await screen.findByRole('textbox', { name: 'Search references' }), {
    target: { value: 'address to' },
  });
  fireEvent.keyDown(screen.getByRole('textbox', { name: 'Search references' }), { key: 'Enter' });
  save();
  await waitFor(() => expect(saves.at(-1)?.definition.actions[0]?.input).toEqual({ address: '{{ inputs.ip }}' }));
});

test('what the server finds stands on its step, in the list, and leads to the field', async () => {
  const problem = { path: 'actions[1].input.address', code: 'X', message: 'That is no address.', action_id: 'block' };
  builder({ draft: { problems: [problem] } });
  await node(/^Block, .*1 problem/);
  press('1 problem');
  fireEvent.click(side().getByRole('button', { name: /That is no address/ }));
  await waitFor(() => expect(document.activeElement?.id).toBe('field-input-address'));
  expect(screen.getByRole('button', { name: 'Publish' }).getAttribute('aria-disabled')).toBe('true');
});

test('what the server cannot even take is a problem of its place, and no word of all being well', async () => {
  const details = [
    { path: 'body.definition.actions', message: 'At most 200 entries.' },
    { path: 'body.definition.actions.1.input', message: 'This must be an object.' },
  ];
  const refused = () =>
    Response.json({ message: 'Not valid.', code: 'VALIDATION_FAILED', request_id: 'r', details }, { status: 400 });
  builder({ given: { [`POST ${playbooks}/validate`]: refused, [`PUT ${playbooks}/${ID}/draft`]: refused } });
  await node(/^Ask, /);
  fireEvent.click(screen.getByRole('radio', { name: 'YAML' }));
  const editor = await yamlEditor();
  editor.type(editor.text().replace('message: Block?', 'message: Really?'));
  fireEvent.click(await screen.findByRole('button', { name: '2 problems' }));
  expect(side().getByRole('button', { name: /^Playbook\s*At most 200 entries/ })).toBeTruthy();
  expect(side().getByRole('button', { name: /^Block · input\s*This must be an object/ })).toBeTruthy();
  save();
  expect(await screen.findByText('Not saved: Not valid. (actions: At most 200 entries.)')).toBeTruthy();
});

test('what is checked and tried says which playbook it is of, so that one that starts itself is found', async () => {
  const sent: unknown[] = [];
  const answer =
    (call: string, response: () => Response) =>
    ({ body }: { body: unknown }) => {
      sent.push([call, (body as { playbook_id?: string }).playbook_id]);
      return response();
    };
  const given = {
    [`POST ${playbooks}/validate`]: answer('validate', () => Response.json({ valid: true, problems: [] })),
    [`POST ${playbooks}/dry_run`]: answer('dry_run', () => Response.json({}, { status: 500 })),
  };
  builder({ given });
  fireEvent.click(await node(/^Ask, Question, runs at the start$/));
  type('Id', 'approve');
  fireEvent.blur(screen.getByRole('textbox', { name: 'Id' }));
  await waitFor(() => expect(sent).toEqual([['validate', ID]]));
  press('Try it');
  type(/^Address to block/, '192.0.2.1');
  press('Start the trial');
  await waitFor(() => expect(sent.at(-1)).toEqual(['dry_run', ID]));
});

test('a save that is refused says so, is tried again, and nothing is lost', async () => {
  let refuses = true;
  const { saves } = builder({
    given: {
      [`PUT ${playbooks}/${ID}/draft`]: ({ body }) => {
        if (refuses) return failure(400, 'VALIDATION_FAILED', 'This is too long.');
        saves.push(body as (typeof saves)[number]);
        return Response.json({
          playbook_id: ID,
          definition,
          revision: 5,
          updated_at: '',
          updated_by: '',
          problems: [],
        });
      },
    },
  });
  await node(/^Ask, /);
  type('Name', 'Another name');
  save();
  expect(await screen.findByText('Not saved: This is too long.')).toBeTruthy();
  refuses = false;
  press('Try again');
  expect(await screen.findByText(/^Saved \d/)).toBeTruthy();
  expect(saves[0]?.definition.metadata.name).toBe('Another name');
});

test('somebody else saved meanwhile: named, and theirs can be taken and undone', async () => {
  const theirs = { ...definition, metadata: { ...definition.metadata, name: 'Theirs' } };
  let isTaken = false;
  builder({
    given: {
      [`GET ${playbooks}/${ID}/draft`]: () =>
        Response.json({
          playbook_id: ID,
          definition: isTaken ? theirs : definition,
          revision: isTaken ? 9 : 4,
          updated_at: '2026-11-21T10:31:00.000Z',
          updated_by: 'maria@northwind.example',
          problems: [],
        }),
      [`PUT ${playbooks}/${ID}/draft`]: () => {
        isTaken = true;
        return failure(409, 'CONFLICT');
      },
    },
  });
  await node(/^Ask, /);
  type('Name', 'Mine');
  save();
  expect(await screen.findByText('Not saved: Maria saved meanwhile.')).toBeTruthy();
  press('Choose');
  fireEvent.click(await screen.findByRole('button', { name: 'Take theirs' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Theirs' })).toBeTruthy();
  press('Undo');
  expect(await screen.findByRole('heading', { level: 1, name: 'Mine' })).toBeTruthy();
});

describe('somebody else saved, and the draft is published or left', () => {
  function overtaken() {
    let isTaken = false;
    return builder({
      given: {
        [`GET ${playbooks}/${ID}/draft`]: () =>
          Response.json({
            playbook_id: ID,
            definition: isTaken ? { ...definition, actions: [] } : definition,
            revision: isTaken ? 9 : 4,
            updated_at: '2026-11-21T10:31:00.000Z',
            updated_by: 'maria@northwind.example',
            problems: [],
          }),
        [`PUT ${playbooks}/${ID}/draft`]: () => {
          isTaken = true;
          return failure(409, 'CONFLICT');
        },
      },
    });
  }

  test('publishing asks which of the two stays, before any words on what changed', async () => {
    overtaken();
    await node(/^Ask, /);
    type('Name', 'Mine');
    save();
    await screen.findByText('Not saved: Maria saved meanwhile.');
    press('Publish');
    expect(await screen.findByRole('dialog', { name: 'Somebody else saved this draft' })).toBeTruthy();
    expect(screen.queryByRole('textbox', { name: 'What changed' })).toBeNull();
  });

  test('before it was known: what was not saved is said, and whose doing it is', async () => {
    const { router } = overtaken();
    await node(/^Ask, /);
    type('Name', 'Mine');
    await router.navigate({ to: '/playbooks' });
    const title = await screen.findByText('The last changes to “Mine” were not saved');
    expect(title.parentElement?.textContent).toContain('Maria saved meanwhile.');
    expect(screen.queryByText('Unexpected error')).toBeNull();
  });

  test('after it was asked whether to leave: nothing more is said', async () => {
    const { router } = overtaken();
    await node(/^Ask, /);
    type('Name', 'Mine');
    save();
    await screen.findByText('Not saved: Maria saved meanwhile.');
    let said = 0;
    const stop = toasts.subscribe(() => {
      said += 1;
    });
    void router.navigate({ to: '/playbooks' });
    fireEvent.click(await screen.findByText('Leave'));
    await waitFor(() => expect(screen.queryByRole('toolbar', { name: 'Editing' })).toBeNull());
    stop();
    expect(said).toBe(0);
  });
});

test('somebody else published meanwhile: named, and theirs can be taken', async () => {
  const theirs = { ...definition, metadata: { ...definition.metadata, name: 'Theirs', updated_by: 'ben@x.example' } };
  const now = { definition, version: 2, revision: 4 };
  builder({
    given: {
      [`GET ${playbooks}/${ID}`]: () =>
        Response.json({ ...now.definition, id: ID, version: now.version, updated_at: '2026-11-21T10:31:00.000Z' }),
      [`GET ${playbooks}/${ID}/draft`]: () =>
        Response.json({
          playbook_id: ID,
          definition: now.definition,
          revision: now.revision,
          updated_at: '2026-11-21T10:31:00.000Z',
          updated_by: 'ben@x.example',
          problems: [],
        }),
      [`PUT ${playbooks}/${ID}/draft`]: () => {
        Object.assign(now, { definition: theirs, version: 3, revision: 0 });
        return failure(409, 'CONFLICT');
      },
    },
  });
  await node(/^Ask, /);
  type('Name', 'Mine');
  save();
  expect(await screen.findByText('Not saved: Ben published version 3 meanwhile.')).toBeTruthy();
  press('Choose');
  await screen.findByRole('dialog', { name: 'Version 3 was published meanwhile' });
  fireEvent.click(await screen.findByRole('button', { name: 'Take theirs' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Theirs' })).toBeTruthy();
  expect(screen.getByText('Version 3')).toBeTruthy();
});

test('one that was never published can be deleted here, after what is out is saved; a published one cannot', async () => {
  const order: string[] = [];
  const { at, leave } = builder({
    version: 0,
    given: {
      [`PUT ${playbooks}/${ID}/draft`]: () => {
        order.push('save');
        return Response.json({
          playbook_id: ID,
          definition,
          revision: 5,
          updated_at: '',
          updated_by: '',
          problems: [],
        });
      },
      [`GET ${playbooks}/${ID}/used_by`]: () => Response.json({ policies: [], automations: [], playbooks: [] }),
      [`DELETE ${playbooks}/${ID}`]: () => {
        order.push('delete');
        return new Response(null, { status: 204 });
      },
    },
  });
  await node(/^Ask, /);
  type('Name', 'Gone soon');
  press('More');
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Delete playbook…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete “Gone soon”?' }));
  fireEvent.click(dialog.getByRole('button', { name: 'Delete playbook' }));
  await waitFor(() => expect(at()).toMatch(/^\/playbooks\/?$/));
  leave();
  expect(order).toEqual(['save', 'delete']);

  builder();
  await node(/^Ask, /);
  press('More');
  await screen.findByRole('menuitem', { name: 'Discard changes…' });
  expect(screen.queryByRole('menuitem', { name: 'Delete playbook…' })).toBeNull();
});

test('an empty playbook offers one thing to do, and Enter adds what was searched', async () => {
  builder({ draft: { definition: { ...definition, actions: [], outputs: {} } } });
  fireEvent.click(await screen.findByRole('button', { name: 'Add the first step' }));
  const search = screen.getByRole('textbox', { name: 'Search steps' });
  fireEvent.change(search, { target: { value: 'block' } });
  fireEvent.keyDown(search, { key: 'Enter' });
  await node(/^Block address, /);
  expect(side().getByRole('textbox', { name: 'Id' })).toHaveProperty('value', 'block_address');
});

test('a name is enough for a new playbook; without one nothing is sent', async () => {
  const sent: unknown[] = [];
  const { at } = builder({
    at: '/playbooks/new',
    given: {
      [`POST ${playbooks}`]: ({ body }) => {
        sent.push(body);
        return Response.json({
          playbook_id: ID,
          definition,
          revision: 1,
          updated_at: '',
          updated_by: '',
          problems: [],
        });
      },
    },
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Open the builder' }));
  expect(screen.getByText('Give the playbook a name.')).toBeTruthy();
  expect(sent).toEqual([]);
  type('Name', ' Block it ');
  press('Open the builder');
  await waitFor(() => expect(at()).toBe(`/playbooks/${ID}/edit`));
  expect(sent).toMatchObject([{ definition: { metadata: { name: 'Block it' }, actions: [] } }]);
});

test('what is published is what was saved, with the note; then there is nothing left to publish', async () => {
  const sent: unknown[] = [];
  const { saves } = builder({
    given: {
      [`GET ${playbooks}/${ID}`]: () => Response.json({ ...definition, id: ID, version: 2 + sent.length }),
      [`POST ${playbooks}/${ID}/publish`]: ({ body }) => {
        sent.push(body);
        return Response.json({ ...definition, id: ID, version: 3 });
      },
    },
  });
  await node(/^Ask, /);
  expect(screen.getByText('Draft after version 2')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'See the playbook' }).getAttribute('href')).toBe(`/playbooks/${ID}`);
  type('Description', 'Blocks it.');
  press('Publish');
  const dialog = within(await screen.findByRole('dialog'));
  fireEvent.change(dialog.getByRole('textbox', { name: 'What changed' }), { target: { value: 'Words' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Publish' }));
  expect(await screen.findByText('Version 3')).toBeTruthy();
  expect(saves).toMatchObject([{ revision: 4, definition: { metadata: { description: 'Blocks it.' } } }]);
  expect(sent).toEqual([{ revision: 5, note: 'Words' }]);
  expect(screen.getByRole('button', { name: 'Publish' }).getAttribute('aria-description')).toBe(
    'Nothing has changed since it was published.',
  );
  // Where it is started, and who has used it: the way there stays where it was.
  expect(screen.getByRole('link', { name: 'See the playbook' }).getAttribute('href')).toBe(`/playbooks/${ID}`);
});

test('YAML that cannot be read says where; what can takes the place of what was, until undone', async () => {
  builder();
  await node(/^Ask, /);
  press('More');
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Import YAML…' }));
  const dialog = within(await screen.findByRole('dialog'));
  const take = (yaml: string) => {
    fireEvent.change(dialog.getByRole('textbox', { name: 'Or paste it' }), { target: { value: yaml } });
    fireEvent.click(dialog.getByRole('button', { name: 'Import' }));
  };
  take('metadata: {name: x}\nactions: 7');
  expect(await dialog.findByText('Line 2: actions must be a list of actions.')).toBeTruthy();
  take('metadata: {name: Imported}\nactions:\n  - {id: pause, kind: delay, seconds: 60}');
  expect(await screen.findByRole('heading', { level: 1, name: 'Imported' })).toBeTruthy();
  await node(/^Pause, Delay/);
  press('Undo');
  expect(await screen.findByRole('heading', { level: 1, name: 'Block it' })).toBeTruthy();
});

test('YAML that was pasted to be imported is dropped only after a question', async () => {
  builder();
  await node(/^Ask, /);
  press('More');
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Import YAML…' }));
  const dialog = within(await screen.findByRole('dialog'));
  const field = dialog.getByRole<HTMLTextAreaElement>('textbox', { name: 'Or paste it' });
  fireEvent.change(field, { target: { value: 'metadata: {name: Imported}' } });
  fireEvent.keyDown(field, { key: 'Escape' });
  fireEvent.click(await screen.findByText('Stay', { selector: 'button *' }));
  await waitFor(() => expect(screen.queryByText('Leave without saving?')).toBeNull());
  expect(field.isConnected && field.value).toBe('metadata: {name: Imported}');
});

test('a length of time that is none opens as it is, is told, and can be mended', async () => {
  const { saves } = builder({ draft: { definition: { ...definition, exec_options: { timeout_s: -1 } } } });
  await node(/^Ask, /);
  const limit = () => screen.getByRole('textbox', { name: 'Time limit of a run' });
  expect(limit()).toHaveProperty('value', '-1');
  expect(screen.getByText('This is no length of time.')).toBeTruthy();
  // A character at a time, as a keyboard takes it away.
  type('Time limit of a run', '-');
  expect(limit()).toHaveProperty('value', '-');
  type('Time limit of a run', '');
  type('Time limit of a run', '9');
  type('Time limit of a run', '9x');
  expect(limit()).toHaveProperty('value', '9');
  expect(screen.queryByText('This is no length of time.')).toBeNull();
  save();
  await waitFor(() => expect(saves.at(-1)?.definition.exec_options).toEqual({ timeout_s: 9 }));
  press('Undo');
  await waitFor(() => expect(limit()).toHaveProperty('value', '-1'));
});

test('YAML that cannot be read is neither left, tried nor published unasked, or what was typed would be gone', async () => {
  const { at, router, saves } = builder({ at: `/playbooks/${ID}/edit?view=yaml` });
  const yaml = await yamlEditor();
  const good = yaml.text();
  expect(screen.getByRole('radio', { name: 'Graph' })).toHaveProperty('disabled', false);
  yaml.type(good.replace('name: Block it', 'name: Typed').replace('actions:', 'actions: ['));
  await waitFor(() => expect(reasonAt('Publish')).toBe(UNREAD));
  expect(reasonAt('Try it')).toBe(UNREAD);
  expect(screen.getByRole('radio', { name: 'Graph' })).toHaveProperty('disabled', true);
  // Nothing beside it says that all is well, or takes its place.
  expect(screen.getByText('Not saved: The YAML cannot be read.')).toBeTruthy();
  expect(screen.getByRole('button', { name: '1 problem' })).toBeTruthy();
  expect(reasonAt('Add step')).toBe(UNREAD);
  expect(screen.queryByRole('textbox', { name: 'Name' })).toBeNull();
  expect(screen.getByRole('radiogroup', { name: 'Show as' }).getAttribute('aria-description')).toBe(UNREAD);

  void router.navigate({ to: '/playbooks' });
  fireEvent.click(await screen.findByText('Stay'));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  // The same screen as a graph leaves the text too.
  void router.navigate({ to: '/playbooks/$id/edit', params: { id: ID }, search: {} });
  fireEvent.click(await screen.findByText('Stay'));
  expect(at()).toContain('view=yaml');
  expect(yaml.text()).toContain('actions: [');

  yaml.type(good.replace('name: Block it', 'name: Typed'));
  await waitFor(() => expect(reasonAt('Publish')).toBeNull());
  fireEvent.click(screen.getByRole('radio', { name: 'Graph' }));
  await node(/^Ask, /);
  save();
  await waitFor(() => expect(saves.at(-1)?.definition.metadata.name).toBe('Typed'));
});

test('what takes the place of YAML that cannot be read shows in it, or the next repair would undo it', async () => {
  builder({ at: `/playbooks/${ID}/edit?view=yaml` });
  const yaml = await yamlEditor();
  const good = yaml.text();
  const spoil = async () => {
    yaml.type('actions: [');
    await waitFor(() => expect(reasonAt('Publish')).toBe(UNREAD));
  };
  await spoil();
  press('More');
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Import YAML…' }));
  const dialog = within(await screen.findByRole('dialog'));
  fireEvent.change(dialog.getByRole('textbox', { name: 'Or paste it' }), {
    target: { value: 'metadata: {name: Imported}\nactions:\n  - {id: pause, kind: delay, seconds: 60}' },
  });
  fireEvent.click(dialog.getByRole('button', { name: 'Import' }));
  await waitFor(() => expect(yaml.text()).toContain('name: Imported'));
  expect(reasonAt('Publish')).toBeNull();
  // In the editor, undo brings back what could not be read: it is kept nowhere else.
  yaml.undo();
  expect(yaml.text()).toBe('actions: [');
  await spoil();
  press('Undo');
  await waitFor(() => expect(yaml.text()).toBe(good));
  expect(reasonAt('Publish')).toBeNull();
});

test('a playbook that is deleted is left without a question about its text', async () => {
  const { at } = builder({
    version: 0,
    at: `/playbooks/${ID}/edit?view=yaml`,
    given: {
      [`GET ${playbooks}/${ID}/used_by`]: () => Response.json({ policies: [], automations: [], playbooks: [] }),
      [`DELETE ${playbooks}/${ID}`]: () => new Response(null, { status: 204 }),
    },
  });
  const yaml = await yamlEditor();
  yaml.type('actions: [');
  await waitFor(() => expect(reasonAt('Publish')).toBe(UNREAD));
  press('More');
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Delete playbook…' }));
  const dialog = within(await screen.findByRole('dialog'));
  fireEvent.click(dialog.getByRole('button', { name: 'Delete playbook' }));
  await waitFor(() => expect(at()).toMatch(/^\/playbooks\/?$/));
});

test('another playbook in the address is another one in the builder, or its draft would be saved over', async () => {
  const id = ID.replace(/1$/, '2');
  const other = { ...definition, metadata: { ...definition.metadata, name: 'Watch it' }, actions: [] };
  const draft = { playbook_id: id, definition: other, revision: 1, updated_at: '2026-11-21T10:31:00.000Z' };
  const { router } = builder({
    given: {
      [`GET ${playbooks}/${id}/draft`]: () => Response.json({ ...draft, updated_by: 'maria', problems: [] }),
      [`GET ${playbooks}/${id}`]: () => Response.json({ ...other, id, version: 1 }),
    },
  });
  await node(/Block address/);
  await router.navigate({ to: '/playbooks/$id/edit', params: { id } });
  await screen.findAllByText('Watch it');
  await waitFor(() => expect(screen.queryAllByRole('button', { name: /Block address/, hidden: true })).toEqual([]));
});

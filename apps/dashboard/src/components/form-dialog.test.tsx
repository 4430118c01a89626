import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { acknowledgedCase, caseList } from '../features/air/case/case-fixtures.ts';
import { policyList } from '../features/policies/policy-fixtures.ts';
import { ownTenant, userWith } from '../session/fixtures.ts';
import { failure, type Given, showApp } from '../test-app.tsx';
// Loaded with the file, or the first test of each would wait for it.
import '../features/playbooks/list/import-dialog.tsx';
import '../features/policies/import/import-dialog.tsx';
import '../features/report/schedule-dialog.tsx';
import './new-case/new-case-dialog.tsx';

vi.setConfig({ testTimeout: 60_000 });
const api = `/api/tenants/${ownTenant}`;
const QUESTION = 'Leave without saving?';
const CASES = `GET ${api}/case`;

type Form = { title: string; at: string; opener: string; field: string; cross: string };

const forms: readonly Form[] = [
  {
    title: 'New case',
    at: '/air/case-management',
    opener: 'New case',
    field: 'What is it about?',
    cross: 'Cancel',
  },
  {
    title: 'New schedule',
    at: '/report/air?panel=schedules',
    opener: 'New schedule',
    field: 'Name',
    cross: 'Cancel',
  },
  {
    title: 'Import a playbook',
    at: '/playbooks/',
    opener: 'Import YAML',
    field: 'YAML',
    cross: 'Cancel',
  },
  {
    title: 'Import Sigma rules',
    at: '/air/policy-management/',
    opener: 'Import Sigma',
    field: 'Or paste rules',
    cross: 'Close',
  },
];

function show(at: string, answers: Given['answers'] = {}) {
  return showApp(at, {
    me: userWith({ own: 'Admin' }),
    answers: {
      [CASES]: () => Response.json(caseList([])),
      [`GET ${api}/reports/air`]: () => Response.json([]),
      [`GET ${api}/reports/air/schedules`]: () => Response.json([]),
      [`GET ${api}/reports/air/schedules/recipients`]: () => Response.json([]),
      [`GET ${api}/soar/playbooks`]: () => Response.json([]),
      [`GET ${api}/soar/available_actions`]: () => Response.json([]),
      [`GET ${api}/soar/playbook_activity`]: () => Response.json([]),
      [`GET ${api}/soar/rules`]: () => Response.json(policyList([])),
      [`GET ${api}/soar/rule_responses`]: () => Response.json({ responses: [], total: 0 }),
      ...answers,
    },
  });
}

async function open({ title, opener, field: name }: Form) {
  // The head of a page and its empty list have the same button.
  const [button] = await screen.findAllByText(opener, { selector: 'button *, a *, a' });
  if (button === undefined) throw new Error(`There is no ${opener}.`);
  fireEvent.click(button);
  const dialog = await screen.findByRole('dialog', { name: title });
  const field = await within(dialog).findByRole<HTMLInputElement>('textbox', { name });
  return { dialog, field };
}

/** What Esc is meant for is remembered until the next timer. */
async function pressEsc(on: Element) {
  fireEvent.keyDown(on, { key: 'Escape' });
  await new Promise((resolve) => setTimeout(resolve));
}
function clickBeside() {
  for (const beside of document.querySelectorAll('.mantine-Modal-overlay, .mantine-Modal-inner')) {
    fireEvent.mouseDown(beside);
    fireEvent.click(beside);
  }
}
async function stay() {
  fireEvent.click(await screen.findByText('Stay', { selector: 'button *' }));
  await waitFor(() => expect(screen.queryByText(QUESTION)).toBeNull());
}

test.each(forms)('$title closes unasked as long as nothing is typed', async (form) => {
  show(form.at);
  const { dialog } = await open(form);
  await pressEsc(dialog);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test.each(forms)('$title drops what was typed only after a question', async (form) => {
  const { router } = show(form.at);
  const { dialog, field } = await open(form);
  fireEvent.change(field, { target: { value: 'title: x' } });
  await pressEsc(field);
  await stay();
  clickBeside();
  await stay();
  const crosses = within(dialog).getAllByRole('button', { name: form.cross });
  fireEvent.click(crosses[0] as HTMLElement);
  await stay();
  void router.navigate({ to: '/home' });
  await stay();
  expect(field.value).toBe('title: x');
  await pressEsc(field);
  fireEvent.click(await screen.findByText('Leave', { selector: 'button *' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

/** A case that is being opened, until the test says what came of it. */
async function openingCase() {
  let answer: (response: Response) => void = () => undefined;
  const opened = show('/air/case-management', {
    [`GET ${api}/case/${acknowledgedCase.id}`]: () => Response.json(acknowledgedCase),
    [`POST ${api}/case`]: () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
  });
  const [form] = forms;
  if (form === undefined) throw new Error('There is no form.');
  const { dialog, field } = await open(form);
  fireEvent.change(field, { target: { value: 'A lost laptop' } });
  fireEvent.click(within(dialog).getByRole('button', { name: 'Open case' }));
  await waitFor(() => expect(opened.state.asked).toContain(`POST ${api}/case`));
  return { ...opened, dialog, field, answer: (response: Response) => answer(response) };
}
const one = `/air/case-management/${acknowledgedCase.id}`;

test('a case that is being opened is not called off by closing its form, which then leads to it', async () => {
  const { at, dialog, answer } = await openingCase();
  await pressEsc(dialog);
  clickBeside();
  for (const cancel of within(dialog).getAllByRole('button', { name: 'Cancel' })) fireEvent.click(cancel);
  expect(screen.queryByText(QUESTION)).toBeNull();
  expect(screen.getByRole('dialog', { name: 'New case' })).toBeTruthy();
  answer(Response.json(acknowledgedCase, { status: 201 }));
  await waitFor(() => expect(at()).toBe(one));
  expect(screen.queryByText(QUESTION)).toBeNull();
});

test('a case that is refused says so in its form, which can be closed again', async () => {
  const { dialog, field, answer } = await openingCase();
  answer(failure(409, 'CONFLICT', 'Not like this.'));
  expect(await within(dialog).findByText(/Not like this/)).toBeTruthy();
  await pressEsc(field);
  expect(await screen.findByText(QUESTION)).toBeTruthy();
});

test('left while a case is being opened, nobody is taken to it', async () => {
  const { app, router, at, answer } = await openingCase();
  void router.navigate({ to: '/home' });
  fireEvent.click(await screen.findByText('Leave', { selector: 'button *' }));
  await waitFor(() => expect(at()).toContain('/home'));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  answer(Response.json(acknowledgedCase, { status: 201 }));
  await waitFor(() => expect(app.queryClient.isMutating()).toBe(0));
  // A way that is taken is told to the history after those who may object were asked.
  await new Promise((resolve) => setTimeout(resolve));
  expect(router.history.location.pathname).toBe('/home');
});

import type { Case, CaseBulk, CaseBulkResult } from '@airdeck/contracts/cases/schema';
import type { TenantUser } from '@airdeck/contracts/users/schema';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { peopleOfLargeTenant, zoe } from '../../components/people-fixture.ts';
import { ownTenant } from '../../session/fixtures.ts';
import { failure, type Given, showApp } from '../../test-app.tsx';
import { acknowledgedCase, caseList } from './case/case-fixtures.ts';
// Loaded with the file, or the test would wait for it.
import './bulk-dialogs.tsx';

vi.setConfig({ testTimeout: 60_000 });

type Answer = NonNullable<Given['answers']>[string];

function person(number: number, fullname: string, { role = 'Analyst', status = 'active' }: Partial<TenantUser> = {}) {
  const id = `01a1fb94-b561-76ac-8033-00000000000${number}`;
  const uname = `${fullname.split(' ')[0]?.toLowerCase()}@example.com`;
  return { id, fullname, uname, role, status, mfa_enabled: null, last_sign_in_at: null, from_provider: false };
}

async function askWhom(users: Answer, more: Record<string, Answer> = {}) {
  showApp('/air/case-management', {
    answers: {
      [`GET /api/tenants/${ownTenant}/case`]: () => Response.json(caseList([acknowledgedCase])),
      [`GET /api/tenants/${ownTenant}/users`]: users,
      ...more,
    },
  });
  fireEvent.click(await screen.findByRole('checkbox', { name: /^Select CASE-7/ }));
  fireEvent.click(await screen.findByRole('button', { name: 'Assign…' }));
  const dialog = within(await screen.findByRole('dialog'));
  const field = dialog.getByRole<HTMLInputElement>('combobox', { name: 'To' });
  field.focus();
  return { dialog, field };
}

test('cases are given to nobody the server would refuse: who only reads, or has not come yet', async () => {
  const people = [
    person(1, 'Tom Reed'),
    person(2, 'Ada Lane', { role: 'Admin' }),
    person(3, 'Rui Moss', { role: 'ReadOnly' }),
    person(4, 'Ivy Dale', { status: 'invited' }),
    person(5, 'Sam Hall', { status: 'disabled' }),
  ];
  await askWhom(() => Response.json(people));
  await screen.findByRole('option', { name: /^Tom Reed/ });
  const offered = within(screen.getByRole('listbox', { name: 'To' })).getAllByRole('option');
  expect(offered.map(({ textContent }) => textContent)).toEqual([
    'Ana Souza (you)',
    'Nobody',
    'Tom Reed (tom@example.com)',
    'Ada Lane (ada@example.com)',
  ]);
});

const enter = { key: 'Enter', code: 'Enter' };

test('a name that was typed is taken with Enter, and never sends the form with whoever stood there before', async () => {
  const { field } = await askWhom(() => Response.json([person(1, 'Tom Reed'), person(2, 'Ada Lane')]));
  await screen.findByRole('option', { name: /^Tom Reed/ });
  fireEvent.change(field, { target: { value: 'nobody of this name' } });
  expect(fireEvent.keyDown(field, enter)).toBe(false);
  fireEvent.change(field, { target: { value: 'tom' } });
  const list = within(screen.getByRole('listbox', { name: 'To' }));
  await waitFor(() => expect(list.getAllByRole('option')).toHaveLength(1));
  expect(fireEvent.keyDown(field, enter)).toBe(false);
  await waitFor(() => expect(field.value).toBe('Tom Reed (tom@example.com)'));
  expect(fireEvent.keyDown(field, enter)).toBe(true);
});

test('cases are given to somebody beyond those one answer holds, who is not looked for again once chosen', async () => {
  const sent: unknown[] = [];
  const searches: (string | null)[] = [];
  const users: Answer = (request) => {
    searches.push(request.url.searchParams.get('q'));
    return peopleOfLargeTenant(request);
  };
  const { dialog, field } = await askWhom(users, {
    [`POST /api/tenants/${ownTenant}/case/bulk`]: ({ body }) => {
      sent.push(body);
      return failure(409, 'CONFLICT');
    },
  });
  await screen.findByRole('option', { name: /^Person 0/ });
  fireEvent.change(field, { target: { value: 'zoe' } });
  fireEvent.click(await screen.findByRole('option', { name: /^Zoe Young/ }));
  await waitFor(() => expect(field.value).toBe(`Zoe Young (${zoe.uname})`));
  fireEvent.click(dialog.getByRole('button', { name: 'Assign' }));
  await waitFor(() => expect(sent).toMatchObject([{ change: { assignee: zoe.uname } }]));
  expect(searches).toEqual([null, 'zoe']);
});

test('the bar that goes once its work is done leaves the focus to the list', async () => {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  showApp('/air/case-management', {
    answers: {
      [`GET /api/tenants/${ownTenant}/case`]: () => Response.json(caseList([acknowledgedCase])),
      [`POST /api/tenants/${ownTenant}/case/bulk`]: async () => {
        await released;
        return Response.json({ matched: 1, results: [] });
      },
    },
  });
  fireEvent.click(await screen.findByRole('checkbox', { name: /^Select CASE-7/ }));
  const acknowledge = await screen.findByRole('button', { name: 'Acknowledge' });
  acknowledge.focus();
  fireEvent.click(acknowledge);
  // It is not locked meanwhile.
  await waitFor(() => expect(acknowledge.getAttribute('aria-disabled')).toBe('true'));
  expect(document.activeElement).toBe(acknowledge);
  release();
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Acknowledge' })).toBeNull());
  expect(document.activeElement?.matches('[data-row]')).toBe(true);
});

test('tags that name nothing lead to the field', async () => {
  showApp('/air/case-management', {
    answers: { [`GET /api/tenants/${ownTenant}/case`]: () => Response.json(caseList([acknowledgedCase])) },
  });
  fireEvent.click(await screen.findByRole('checkbox', { name: /^Select CASE-7/ }));
  fireEvent.click(await screen.findByRole('button', { name: 'Tag…' }));
  const dialog = within(await screen.findByRole('dialog'));
  const save = dialog.getByRole('button', { name: 'Save' });
  await waitFor(() => expect(document.activeElement).toBe(dialog.getByLabelText('Add')));
  save.focus();
  fireEvent.click(save);
  await waitFor(() => expect(document.activeElement).toBe(dialog.getByLabelText('Add')));
});

const other = { ...acknowledgedCase, id: acknowledgedCase.id.replace('301', '302'), reference: 'CASE-8' };

function result({ id, reference }: Case, part: Partial<CaseBulkResult> = {}): CaseBulkResult {
  const state = { alert_status: 'closed' as const, assignee: null, tags: [] };
  const done = { message: null, conflict: false, run_id: null, before: null, after: state };
  return { id, reference, outcome: 'changed', ...done, ...part };
}
const changedMeanwhile: Partial<CaseBulkResult> = {
  ...{ outcome: 'refused', conflict: true, after: null },
  message: 'This case changed in the meantime: status.',
};

/** The list with two cases; a call is answered as `answer` says, and the list is as it says from then on. */
function twoCases(answer: (bulk: CaseBulk, call: number) => { results: CaseBulkResult[]; list?: Case[] }) {
  const sent: CaseBulk[] = [];
  let rows: Case[] = [acknowledgedCase, other];
  const path = `/api/tenants/${ownTenant}/case`;
  showApp('/air/case-management', {
    answers: {
      [`GET ${path}`]: () => Response.json(caseList(rows)),
      [`POST ${path}/bulk`]: ({ body }) => {
        sent.push(body as CaseBulk);
        const { results, list = rows } = answer(body as CaseBulk, sent.length);
        rows = list;
        return Response.json({ matched: results.length, results });
      },
    },
  });
  return sent;
}

async function askWhyClosed() {
  fireEvent.click(await screen.findByRole('checkbox', { name: 'Select all cases shown' }));
  fireEvent.click(screen.getByRole('button', { name: 'Close…' }));
  const dialog = within(await screen.findByRole('dialog'));
  fireEvent.click(dialog.getByRole('radio', { name: /true positive/i }));
  fireEvent.change(dialog.getByLabelText('Comment'), { target: { value: 'All the same.' } });
  return dialog;
}

test('what is refused stays in the dialog with reason and comment, and is tried again as it is by then', async () => {
  const sent = twoCases(({ cases }, call) =>
    call === 1
      ? {
          results: [result(acknowledgedCase), result(other, changedMeanwhile)],
          list: [{ ...other, alert_status: 'open', assignee: 'tom@example.com' }],
        }
      : { results: cases?.length === 1 ? [result(other)] : [] },
  );
  const dialog = await askWhyClosed();
  fireEvent.click(dialog.getByRole('button', { name: 'Close 2 cases' }));
  expect((await dialog.findByRole('alert')).textContent).toContain(
    'CASE-8: This case changed in the meantime: status.',
  );
  expect(screen.getByRole('dialog', { name: 'Close 1 case' })).toBeTruthy();
  expect(dialog.getByLabelText<HTMLTextAreaElement>('Comment').value).toBe('All the same.');
  fireEvent.click(dialog.getByRole('button', { name: 'Close 1 case' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent[1]).toMatchObject({
    cases: [other.id],
    change: { close_reason: 'true_positive', comment: 'All the same.' },
    seen: [{ id: other.id, alert_status: 'open', assignee: 'tom@example.com' }],
  });
  expect(screen.queryByText(/chosen$/)).toBeNull();
});

test.each([
  [503, 'STORE_UNAVAILABLE'],
  [409, 'CONFLICT'],
] as const)('a call that fails with %s is told in the dialog until it is tried again', async (status, code) => {
  let calls = 0;
  showApp('/air/case-management', {
    answers: {
      [`GET /api/tenants/${ownTenant}/case`]: () => Response.json(caseList([acknowledgedCase, other])),
      [`POST /api/tenants/${ownTenant}/case/bulk`]: () => {
        calls += 1;
        return calls === 1 ? failure(status, code) : Response.json({ matched: 0, results: [] });
      },
    },
  });
  const dialog = await askWhyClosed();
  fireEvent.click(dialog.getByRole('button', { name: 'Close 2 cases' }));
  expect(await dialog.findByRole('alert')).toBeTruthy();
  expect(dialog.getByLabelText<HTMLTextAreaElement>('Comment').value).toBe('All the same.');
  expect(screen.queryByText('This could not be done')).toBeNull();
  fireEvent.click(dialog.getByRole('button', { name: 'Close 2 cases' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('a call from a dialog that fails after its screen was left is told by a toast', async () => {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let isAsked = false;
  const { router } = showApp('/air/case-management', {
    answers: {
      [`GET /api/tenants/${ownTenant}/case`]: () => Response.json(caseList([acknowledgedCase, other])),
      [`POST /api/tenants/${ownTenant}/case/bulk`]: async () => {
        isAsked = true;
        await released;
        return failure(409, 'CONFLICT');
      },
    },
  });
  const dialog = await askWhyClosed();
  fireEvent.click(dialog.getByRole('button', { name: 'Close 2 cases' }));
  await waitFor(() => expect(isAsked).toBe(true));
  void router.navigate({ to: '/unauthorized' });
  fireEvent.click(await screen.findByText('Leave', { selector: 'button *' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  release();
  expect(await screen.findByText('This could not be done')).toBeTruthy();
});

test('each reason to close cases is explained', async () => {
  twoCases(() => ({ results: [] }));
  const dialog = await askWhyClosed();
  expect(dialog.getByText('Another case is about the same thing.')).toBeTruthy();
});

test('a case that is refused and no longer listed is not refused for the same again', async () => {
  const asItWas = { ...changedMeanwhile, conflict: false };
  const sent = twoCases((_bulk, call) => ({
    results: call === 1 ? [result(other, asItWas), result(acknowledgedCase, changedMeanwhile)] : [],
    list: [],
  }));
  const dialog = await askWhyClosed();
  fireEvent.click(dialog.getByRole('button', { name: 'Close 2 cases' }));
  await dialog.findByRole('alert');
  fireEvent.click(dialog.getByRole('button', { name: 'Close 2 cases' }));
  await waitFor(() => expect(sent).toHaveLength(2));
  // Of what did not change, what was seen is so still.
  expect(sent[1]?.seen).toEqual([{ id: other.id, alert_status: 'acknowledged', assignee: null }]);
});

test.each([
  ['Close…', (dialog: HTMLElement) => fireEvent.click(within(dialog).getByRole('radio', { name: /duplicate/i }))],
  [
    'Tag…',
    (dialog: HTMLElement) => fireEvent.change(within(dialog).getByLabelText('Add'), { target: { value: 'vip' } }),
  ],
] as const)('what was filled in under %s is dropped only after a question', async (name, fill) => {
  twoCases(() => ({ results: [] }));
  fireEvent.click(await screen.findByRole('checkbox', { name: /^Select CASE-7/ }));
  fireEvent.click(screen.getByRole('button', { name }));
  const dialog = await screen.findByRole('dialog');
  fill(dialog);
  fireEvent.keyDown(dialog, { key: 'Escape' });
  fireEvent.click(await screen.findByText('Stay', { selector: 'button *' }));
  await waitFor(() => expect(screen.queryByText('Leave without saving?')).toBeNull());
  expect(screen.getByRole('dialog')).toBe(dialog);
});

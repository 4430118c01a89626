import type { Prompt } from '@airdeck/contracts/activity/schema';
import type { Notification } from '@airdeck/contracts/notifications/schema';
import { momentText } from '@airdeck/domain/moment-text';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { playbookRun, runId, step } from '../features/playbooks/playbook-fixtures.ts';
import { ownTenant } from '../session/fixtures.ts';
import { failure, type Given, showApp } from '../test-app.tsx';
// Loaded with the file, or the first test would wait for it.
import './notifications-panel.tsx';

vi.setConfig({ testTimeout: 60_000 });
const tenantPath = `/api/tenants/${ownTenant}`;
const RUNS = `${tenantPath}/soar/playbook_activity`;
const promptId = '01920000-0000-7000-8000-000000000b01';
const PROMPT = `${RUNS}/${runId(1)}/prompt/${promptId}`;
const time = '2026-11-20T10:00:00.000Z';
const idOf = (number: number) => `01920000-0000-7000-8000-000000000d0${number}`;
const linkTo = (token: string) => `/activity/playbooks/${runId(1)}?prompt=${promptId}&answer=${token}`;

function notification(number: number, fields: Partial<Notification> = {}): Notification {
  return {
    id: idOf(number),
    kind: 'case_opened',
    title: `Case ${number}`,
    text: 'It was opened.',
    link: `/activity/playbooks/${runId(1)}`,
    created_at: time,
    read_at: null,
    ...fields,
  };
}
const asking = notification(1, {
  kind: 'prompt_waiting',
  title: 'Block the address?',
  text: 'Playbook 1 waits.',
  link: `/activity/playbooks/${runId(1)}?prompt=${promptId}`,
  answers: [
    { label: 'Block', link: linkTo('signed-block'), danger: true },
    { label: 'Ignore', link: linkTo('signed-ignore') },
  ],
});
const question: Prompt = {
  id: promptId,
  run_id: runId(1),
  action_id: 'approve',
  message: 'Block the address?',
  options: [
    { value: 'block', label: 'Block' },
    { value: 'ignore', label: 'Ignore' },
  ],
  asked_at: time,
  expires_at: null,
  default_option: null,
  approvers: {},
  can_answer: true,
  second_approval: { required: false, first: null },
  answered: null,
};
const waiting = playbookRun(1, {
  summary: {
    status: 'waiting',
    time_finished: null,
    actions_summary: [step('lookup'), step('approve', { kind: 'prompt', status: 'waiting', prompt_id: promptId })],
  },
});

/** The list of what there is to know, opened on a screen that shows nothing else. */
async function openList(notifications: readonly Notification[], answers: Given['answers'] = {}) {
  const read: unknown[] = [];
  const shown = showApp('/activity/playbooks', {
    answers: {
      [`GET ${RUNS}`]: () => Response.json([]),
      [`GET ${RUNS}/${runId(1)}`]: () => Response.json(waiting),
      [`GET ${tenantPath}/soar/available_actions`]: () => Response.json([]),
      [`GET ${tenantPath}/notifications`]: () =>
        Response.json({
          notifications,
          unread: notifications.filter(({ read_at }) => read_at === null).length,
        }),
      [`POST ${tenantPath}/notifications/read`]: ({ body }) => {
        read.push(body);
        return new Response(null, { status: 204 });
      },
      ...answers,
    },
  });
  fireEvent.click(await screen.findByRole('button', { name: /^Notifications/ }));
  const list = await screen.findByRole('dialog', { name: /^Notifications/ });
  return { ...shown, read, list: within(list) };
}

/** By the link of an answer to its run, where the prompt is as `prompt` says and an answer ends as `post` says. */
async function followAnswer(prompt: Partial<Prompt>, post: (body: unknown) => Response | Promise<Response>) {
  const shown = await openList([asking], {
    [`GET ${PROMPT}`]: ({ url }) =>
      Response.json({
        ...question,
        ...prompt,
        link_option: url.searchParams.get('answer') === 'signed-block' ? 'block' : null,
      }),
    [`POST ${PROMPT}`]: ({ body }) => post(body),
  });
  fireEvent.click(await shown.list.findByRole('link', { name: 'Answer Block: Block the address?' }));
  await waitFor(() => expect(shown.at()).toContain('answer=signed-block'));
  return shown;
}

const confirmed = () => screen.findByRole('button', { name: 'Answer: Block' });

test('a question shows its answers, each a link of its own that says what it answers', async () => {
  const { list } = await openList([asking, notification(2)]);
  const [item, other] = await list.findAllByRole('listitem');
  const answers = within(item as HTMLElement).getAllByRole('link', { name: /^Answer / });
  expect(answers.map((each) => [each.getAttribute('aria-label'), each.getAttribute('href')])).toEqual([
    ['Answer Block: Block the address?', linkTo('signed-block')],
    ['Answer Ignore: Block the address?', linkTo('signed-ignore')],
  ]);
  expect(answers.map((each) => each.hasAttribute('data-danger'))).toEqual([true, false]);
  expect(within(other as HTMLElement).queryByRole('link', { name: /^Answer / })).toBeNull();
});

test('times of a text are in the zone of the browser where the profile names none', async () => {
  const due = '2026-11-28T17:01:00.000Z';
  const text = 'Due Nov 28, 2026 5:01 PM UTC.';
  const { list } = await openList([notification(1, { text, times: [due] })]);
  expect(await list.findByText(`Due ${momentText(new Date(due), { locale: 'en-US' })}.`, {})).toBeDefined();
  expect(list.queryByText(/UTC/)).toBeNull();
});

test('an answer is asked about once more, is sent once, and its notification is read', async () => {
  const sent: unknown[] = [];
  const prompt: Partial<Prompt> = {};
  let answer: (response: Response) => void = () => undefined;
  const { read } = await followAnswer(prompt, (body) => {
    sent.push(body);
    return new Promise((resolve) => {
      answer = resolve;
    });
  });
  const button = await confirmed();
  expect(sent).toEqual([]);
  expect(read).toEqual([{ ids: [idOf(1)] }]);
  expect(screen.queryByRole('dialog', { name: /^Notifications/ })).toBeNull();
  fireEvent.click(button);
  fireEvent.click(button);
  await waitFor(() => expect(sent).toHaveLength(1));
  fireEvent.click(button);
  prompt.answered = { option: 'block', username: 'ana.souza@northwind.example', at: time, comment: null };
  answer(Response.json({ ...question, ...prompt }));
  await screen.findByText(/chose/);
  expect(sent).toEqual([{ option: 'block', token: 'signed-block' }]);
});

test('who answers second is shown the answer that counts', async () => {
  const answered = { option: 'ignore', username: 'maria.silva@northwind.example', at: time, comment: null };
  let isLost = false;
  await openList([asking], {
    [`GET ${PROMPT}`]: () => Response.json({ ...question, link_option: 'block', answered: isLost ? answered : null }),
    [`POST ${PROMPT}`]: () => {
      isLost = true;
      return failure(409, 'PROMPT_ALREADY_ANSWERED', 'This question has already been answered.');
    },
  }).then(({ list }) => fireEvent.click(list.getByRole('link', { name: /^Answer Block/ })));
  fireEvent.click(await confirmed());
  await screen.findByText('Your answer came second; the first one counts.');
  expect(screen.getByText('Maria Silva')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Answer: Block' })).toBeNull();
});

test.each([
  ['expired meanwhile', 409, 'PROMPT_CLOSED', 'This question is no longer open.'],
  ['is not theirs to answer', 403, 'PROMPT_NOT_APPROVER', 'You are not one of the approvers of this question.'],
  ['came by a link that is no longer good', 403, 'PROMPT_LINK_INVALID', 'This link is no longer good.'],
])('who answers what %s is told so where they answered', async (_, status, code, message) => {
  await followAnswer({}, () => failure(status, code, message));
  fireEvent.click(await confirmed());
  const told = await screen.findByText(message);
  expect(told.closest('[role="status"]')).not.toBeNull();
  expect(screen.queryByText(/chose/)).toBeNull();
});

test('who may not answer is told who may, and has nothing to send', async () => {
  const sent: unknown[] = [];
  await followAnswer({ can_answer: false, approvers: { usernames: ['maria.silva@northwind.example'] } }, (body) => {
    sent.push(body);
    return Response.json(question);
  });
  await screen.findByText(/^Only these may answer: /);
  const block = screen.getByRole('button', { name: 'Block' });
  expect(block.getAttribute('aria-disabled')).toBe('true');
  fireEvent.click(block);
  expect(screen.queryByRole('button', { name: 'Answer: Block' })).toBeNull();
  expect(sent).toEqual([]);
});

test('where two must agree, the second is told who chose it and that theirs is the confirmation', async () => {
  const first = { option: 'block', username: 'maria.silva@northwind.example', at: time };
  await followAnswer({ second_approval: { required: true, first } }, () => Response.json(question));
  await confirmed();
  expect(screen.getByText('A second person must confirm.')).toBeTruthy();
  expect(screen.getByText('Two people must agree, as what follows destroys')).toBeTruthy();
  expect(screen.getByText('Maria Silva')).toBeTruthy();
});

test('arrow keys walk the entries and stop at the ends, from an answer as well', async () => {
  const { list } = await openList([asking, notification(2), notification(3)]);
  const links = ['Block the address?', 'Case 2', 'Case 3'].map(
    (name) => list.getByText(name).closest('a') as HTMLElement,
  );
  const press = (key: string) => fireEvent.keyDown(document.activeElement as Element, { key });
  const at = () => links.indexOf(document.activeElement as HTMLElement);
  links[0]?.focus();
  press('ArrowUp');
  expect(at()).toBe(0);
  press('ArrowDown');
  press('ArrowDown');
  expect(at()).toBe(2);
  press('ArrowDown');
  expect(at()).toBe(2);
  list.getByRole('link', { name: /^Answer Ignore/ }).focus();
  press('ArrowDown');
  expect(at()).toBe(1);
});

test('with a modifier an answer opens in another tab: the list stays, the entry is read', async () => {
  const { list, at, read } = await openList([asking]);
  const link = list.getByRole('link', { name: /^Answer Block/ });
  // The browser's part, which jsdom does not have.
  link.addEventListener('click', (event) => event.preventDefault());
  fireEvent.click(link, { ctrlKey: true });
  await waitFor(() => expect(read).toEqual([{ ids: [idOf(1)] }]));
  expect(at()).toBe('/activity/playbooks');
  expect(list.getByRole('link', { name: /^Answer Ignore/ })).toBeTruthy();
});

test('what was read already is not read again; all are marked at once', async () => {
  const { list, read } = await openList([notification(1, { read_at: time }), notification(2), notification(3)]);
  expect(list.getByText('Notifications · 2 unread')).toBeTruthy();
  expect(list.queryByRole('button', { name: 'Mark as read: Case 1' })).toBeNull();
  fireEvent.click(list.getByRole('button', { name: 'Mark as read: Case 2' }));
  await waitFor(() => expect(read).toEqual([{ ids: [idOf(2)] }]));
  fireEvent.click(list.getByRole('button', { name: /^Mark .* read$/ }));
  // Up to the newest that is shown: what comes meanwhile is not read unseen.
  await waitFor(() => expect(read).toEqual([{ ids: [idOf(2)] }, { up_to: idOf(1) }]));
});

test('all are marked as before by a server that does not know up to where', async () => {
  const asked: unknown[] = [];
  const { list } = await openList([notification(1), notification(2)], {
    [`POST ${tenantPath}/notifications/read`]: ({ body }) => {
      asked.push(body);
      const details = [{ path: 'body', message: 'Unknown.', reason: 'FIELDS_UNKNOWN', values: { names: '"up_to"' } }];
      return asked.length === 1
        ? Response.json({ code: 'VALIDATION_FAILED', message: 'No.', request_id: 'req-9', details }, { status: 400 })
        : new Response(null, { status: 204 });
    },
  });
  fireEvent.click(list.getByRole('button', { name: 'Mark all 2 read' }));
  await waitFor(() => expect(asked).toEqual([{ up_to: idOf(1) }, {}]));
});

test('what lies beyond the newest is loaded on demand, and marked where it stands', async () => {
  const read = new Set<string>();
  const asked: string[] = [];
  const on = (numbers: readonly number[]) =>
    numbers.map((number) => notification(number, read.has(idOf(number)) ? { read_at: time } : {}));
  const { list } = await openList([], {
    [`GET ${tenantPath}/notifications`]: ({ url }) => {
      const after = url.searchParams.get('cursor');
      asked.push(url.search);
      const page = after === null ? on([1, 2]) : on([3]);
      return Response.json({ notifications: page, unread: 3 - read.size, cursor: after === null ? idOf(2) : null });
    },
    [`POST ${tenantPath}/notifications/read`]: ({ body }) => {
      for (const id of (body as { ids: string[] }).ids) read.add(id);
      return new Response(null, { status: 204 });
    },
  });
  expect(list.getByText('Notifications · 3 unread')).toBeTruthy();
  // It opens with what the bell has read.
  expect(asked).toEqual(['']);
  const more = list.getByRole('button', { name: 'Load more' });
  more.focus();
  fireEvent.click(more);
  // Its button goes with the last page: arrow keys walk on from where it stood.
  expect(document.activeElement).toBe(list.getByRole('link', { name: /^Case 2/ }));
  await list.findByRole('link', { name: /^Case 3/ });
  expect(asked[1]).toBe(`?cursor=${idOf(2)}&limit=100`);
  expect(list.queryByRole('button', { name: 'Load more' })).toBeNull();
  fireEvent.click(list.getByRole('button', { name: 'Mark as read: Case 3' }));
  expect(await list.findByText('Notifications · 2 unread')).toBeTruthy();
  await waitFor(() => expect(screen.getByRole('button', { name: 'Notifications, 2 unread' })).toBeTruthy());
  expect(list.getByRole('link', { name: /^Case 3/ })).toBeTruthy();
});

test('more that could not be loaded is asked for again', async () => {
  let fails = true;
  const { list } = await openList([], {
    [`GET ${tenantPath}/notifications`]: ({ url }) => {
      if (url.searchParams.get('cursor') === null) {
        return Response.json({ notifications: [notification(1)], unread: 1, cursor: idOf(1) });
      }
      return fails
        ? failure(400, 'VALIDATION_FAILED')
        : Response.json({ notifications: [notification(2)], unread: 1, cursor: null });
    },
  });
  fireEvent.click(list.getByRole('button', { name: 'Load more' }));
  const again = await list.findByRole('button', { name: 'More could not be loaded. Try again' });
  expect(list.getByRole('link', { name: /^Case 1/ })).toBeTruthy();
  fails = false;
  fireEvent.click(again);
  expect(await list.findByRole('link', { name: /^Case 2/ })).toBeTruthy();
});

test('the bell has the focus again when the list closes, also for the first time', async () => {
  const { list } = await openList([notification(1)]);
  const link = list.getByRole('link', { name: /^Case 1/ });
  link.focus();
  fireEvent.keyDown(link, { key: 'Escape' });
  await waitFor(() => expect(screen.queryByRole('dialog', { name: /^Notifications/ })).toBeNull());
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: /^Notifications/ })));
});

test('what marks as read goes by that, and leaves the focus in the list: Esc still closes it', async () => {
  const { list } = await openList([notification(1), notification(2, { link: null })]);
  const press = (name: string | RegExp) => {
    const button = list.getByRole('button', { name });
    button.focus();
    fireEvent.click(button);
  };
  press('Mark as read: Case 1');
  expect(document.activeElement).toBe(list.getByRole('link', { name: /^Case 1/ }));
  const frame = screen.getByRole('dialog', { name: /^Notifications/ });
  press('Mark as read: Case 2');
  expect(document.activeElement).toBe(frame);
  list.getByRole('link', { name: /^Case 1/ }).focus();
  press(/^Mark .* read$/);
  expect(document.activeElement).toBe(frame);
});

test('a list that does not load says so, an empty one what would be there', async () => {
  const { list, leave } = await openList([], {
    [`GET ${tenantPath}/notifications`]: () => failure(400, 'VALIDATION_FAILED'),
  });
  expect(await list.findByText(/^Unable to load notifications/)).toBeTruthy();
  expect(list.queryByText('Nothing to tell')).toBeNull();
  leave();
  const empty = await openList([]);
  expect(await empty.list.findByText('Nothing to tell')).toBeTruthy();
  expect(empty.list.queryByRole('button', { name: /^Mark / })).toBeNull();
});

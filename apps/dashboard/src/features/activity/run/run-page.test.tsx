import type { PlaybookRun, Prompt } from '@airdeck/contracts/activity/schema';
import type { PlaybookAction } from '@airdeck/contracts/playbooks/schema';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ownTenant, userWith } from '../../../session/fixtures.ts';
import { type Given, showApp } from '../../../test-app.tsx';
import { playbookId, playbookRun, runId, step } from '../../playbooks/playbook-fixtures.ts';

vi.setConfig({ testTimeout: 60_000 });
const api = `/api/tenants/${ownTenant}/soar/playbook_activity`;
const promptId = '01920000-0000-7000-8000-000000000b01';
const actionUuid = '01920000-0000-7000-8000-000000000a01';
const waiting = [
  step('lookup'),
  step('approve', { kind: 'prompt', status: 'waiting', prompt_id: promptId, time_finished: null }),
];
const question: Prompt = {
  id: promptId,
  run_id: runId(1),
  action_id: 'approve',
  message: 'Block the address?',
  options: [
    { value: 'block', label: 'Block' },
    { value: 'ignore', label: 'Ignore' },
  ],
  asked_at: '2026-11-20T10:00:00.000Z',
  expires_at: null,
  default_option: null,
  approvers: {},
  can_answer: true,
  second_approval: { required: false, first: null },
  answered: null,
};

function result(fields: object = {}, context: object = {}) {
  return {
    summary: {
      status: 'error',
      workflow_instance_id: runId(1),
      action_name: 'virustotal.get_ip_report',
      type: 'workflow',
      time_created: '2026-11-20T10:00:00.000Z',
      time_updated: '2026-11-20T10:00:01.000Z',
    },
    details: {
      action_output: null,
      error_info: null,
      action_name: 'virustotal.get_ip_report',
      action_input: { ip: '192.0.2.7' },
      context: {
        action_uuid: actionUuid,
        adhoc: false,
        attempt_count: 1,
        tenant_id: ownTenant,
        time_scheduled: null,
        workflow_action_id: 'lookup',
        workflow_instance_id: runId(1),
        case_id: null,
        ...context,
      },
      ...fields,
    },
  };
}

function show(
  run: PlaybookRun,
  { answers = {}, search = '', me }: { answers?: Given['answers']; search?: string; me?: Given['me'] } = {},
) {
  return showApp(`/activity/playbooks/${runId(1)}${search}`, {
    ...(me === undefined ? {} : { me }),
    answers: {
      [`GET ${api}/${runId(1)}`]: () => Response.json(run),
      [`GET ${api}/${runId(1)}/prompt/${promptId}`]: () => Response.json(question),
      [`GET /api/tenants/${ownTenant}/soar/available_actions`]: () => Response.json([]),
      ...answers,
    },
  });
}

const failed = playbookRun(1, {
  summary: {
    status: 'error',
    actions_summary: [
      step('lookup', { status: 'error' }),
      step('approve', {
        kind: 'prompt',
        status: 'cancelled',
        action_uuid: null,
        skip_reason: 'run_failed',
        time_started: null,
      }),
    ],
  },
});
const failedResult = (code: string) => () =>
  Response.json(result({ error_info: { code, message: 'The product did not answer.', retryable: false } }));

test('a try is marked, cannot be retried, and what it would have called is shown as not called', async () => {
  const tried = playbookRun(1, { summary: { dry_run: true, actions_summary: [step('lookup', { not_called: true })] } });
  show(tried, {
    answers: { [`GET ${api}/${runId(1)}/actions/${actionUuid}`]: () => Response.json(result()) },
  });
  await screen.findByText('Dry run');
  expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: /^Lookup/, expanded: false }));
  await screen.findByText(/Not called, as this was a try/);
});

test('a failed action is retried from there, after a warning where it may happen twice', async () => {
  const sent: unknown[] = [];
  const { at } = show(failed, {
    answers: {
      [`GET ${api}/${runId(1)}/actions/${actionUuid}`]: failedResult('OUTCOME_UNKNOWN'),
      [`POST ${api}/${runId(1)}/retry`]: ({ body }) => {
        sent.push(body);
        return Response.json(playbookRun(2, { summary: { retry_of: runId(1) } }), { status: 202 });
      },
    },
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Retry from here' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByText(/may happen a second time/)).toBeTruthy();
  expect(sent).toEqual([]);
  fireEvent.click(dialog.getByRole('button', { name: 'Retry from here' }));
  await waitFor(() => expect(at()).toBe(`/activity/playbooks/${runId(2)}`));
  expect(sent).toEqual([{ from_action: 'lookup' }]);
  const earlier = await screen.findByRole('link', { name: 'Retries an earlier run' });
  expect(earlier.getAttribute('href')).toBe(`/activity/playbooks/${runId(1)}`);
});

test('an action tells its attempts, how long it took, what it was given, what came back and what went wrong', async () => {
  const done = step('lookup', { status: 'error', time_finished: '2026-11-20T10:00:07.000Z' });
  const run = playbookRun(1, { summary: { status: 'error', actions_summary: [done] } });
  const [action] = run.playbook.definition.actions;
  run.playbook.definition.actions = [{ ...action, retry: { max_attempts: 5 } } as PlaybookAction];
  const outcome = result(
    {
      action_output: { verdict: 'malicious' },
      error_info: { code: 'VENDOR_REJECTED', message: 'The product did not answer.', retryable: false },
    },
    { attempt_count: 3 },
  );
  show(run, { answers: { [`GET ${api}/${runId(1)}/actions/${actionUuid}`]: () => Response.json(outcome) } });
  expect(await screen.findByText('The product did not answer.')).toBeTruthy();
  const fact = (label: string) => screen.getByText(label, { selector: 'dt' }).nextElementSibling?.textContent;
  expect(fact('Attempts')).toBe('3 of 5');
  expect(fact('Duration')).toBe('7 s');
  expect(screen.getByRole('region', { name: 'Input' }).textContent).toContain('192.0.2.7');
  expect(screen.getByRole('region', { name: 'Output' }).textContent).toContain('malicious');
  fireEvent.click(screen.getByRole('button', { name: /^Lookup/, expanded: true }));
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Output' })).toBeNull());
});

test('a run says who started it, by what, for which case and out of which run', async () => {
  const caseId = '01920000-0000-7000-8000-000000000c01';
  const by = playbookRun(1).summary.trigger_info;
  const { leave } = show(playbookRun(1));
  expect(await screen.findByText('by hand')).toBeTruthy();
  expect(screen.getAllByText('Ana Souza').length).toBeGreaterThan(0);
  expect(screen.queryByText('Dry run')).toBeNull();
  leave();
  show(
    playbookRun(1, {
      summary: { trigger_info: { ...by, trigger_type: 'event', case_id: caseId }, parent_run_id: runId(4) },
    }),
  );
  expect(await screen.findByText('by a case')).toBeTruthy();
  expect(screen.queryByText('by hand')).toBeNull();
  expect(screen.getByRole('link', { name: 'Part of another run' }).getAttribute('href')).toBe(
    `/activity/playbooks/${runId(4)}`,
  );
});

test('run again sends the same inputs; of what is not stored any more it says why not', async () => {
  const sent: unknown[] = [];
  const { leave } = show(playbookRun(1), {
    answers: {
      [`POST ${api}`]: ({ body }) => {
        sent.push(body);
        return Response.json(playbookRun(2), { status: 202 });
      },
    },
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Run again' }));
  fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Run again' }));
  await waitFor(() => expect(sent).toEqual([{ playbook_id: playbookId(1), inputs: { ip: '192.0.2.7' } }]));
  leave();
  show(playbookRun(1, { summary: { playbook_id: null } }));
  const again = await screen.findByRole('button', { name: 'Run again' });
  expect(again.getAttribute('aria-description')).toContain('deleted');
});

test.each([
  { case_reference: 'C-7', sent: { case_id: '01920000-0000-7000-8000-000000000c01' }, what: 'is there' },
  { case_reference: undefined, sent: {}, what: 'is gone' },
])('run again answers the same case where it $what', async ({ case_reference, sent: more }) => {
  const sent: unknown[] = [];
  const by = playbookRun(1).summary.trigger_info;
  const trigger_info = { ...by, case_id: '01920000-0000-7000-8000-000000000c01', case_reference };
  show(playbookRun(1, { summary: { trigger_info } }), {
    answers: {
      [`POST ${api}`]: ({ body }) => {
        sent.push(body);
        return Response.json(playbookRun(2), { status: 202 });
      },
    },
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Run again' }));
  fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Run again' }));
  await waitFor(() => expect(sent).toEqual([{ playbook_id: playbookId(1), inputs: { ip: '192.0.2.7' }, ...more }]));
});

test.each([
  {
    action: { id: 'ask', kind: 'prompt', message: 'Block it?', options: [] },
    words: 'The question could not be asked.',
  },
  { action: { id: 'ask', kind: 'delay', seconds: 5 }, words: 'The pause could not begin.' },
] as const)(
  'a $action.kind that failed before it began says so and why, and can be retried',
  async ({ action, words }) => {
    const rejected = step('ask', { kind: action.kind, status: 'error', time_started: null });
    const run = playbookRun(1, { summary: { status: 'error', actions_summary: [rejected] } });
    run.playbook.definition.actions = [action as unknown as PlaybookAction];
    show(run, {
      answers: { [`GET ${api}/${runId(1)}/actions/${actionUuid}`]: failedResult('EXPRESSION_FAILED') },
    });
    await screen.findByText(words);
    await screen.findByText('The product did not answer.');
    expect(screen.getByRole('button', { name: 'Retry from here' })).toBeTruthy();
    expect(screen.queryByText(/Not asked yet|The run pauses here/)).toBeNull();
  },
);

test('a run that was cancelled in the middle of a call is retried after a warning', async () => {
  const unknown = step('lookup', { status: 'error', outcome_unknown: true });
  show(playbookRun(1, { summary: { status: 'cancelled', actions_summary: [unknown] } }), {
    answers: { [`GET ${api}/${runId(1)}/actions/${actionUuid}`]: failedResult('OUTCOME_UNKNOWN') },
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Retry what failed' }));
  expect(within(await screen.findByRole('dialog')).getByText(/may happen a second time/)).toBeTruthy();
});

test('a run that goes on offers only to be cancelled, to those who may', async () => {
  show(playbookRun(1, { summary: { status: 'waiting', time_finished: null, actions_summary: waiting } }), {
    me: userWith({ own: 'ReadOnly' }),
  });
  const cancel = await screen.findByRole('button', { name: 'Cancel run' });
  expect(cancel.getAttribute('aria-disabled')).toBe('true');
  expect(screen.queryByRole('button', { name: 'Run again' })).toBeNull();
});

test('a list tells how far it is, and each of its items what became of it', async () => {
  const items = { total: 3, ended: 3, failed: 1 };
  const asked: string[] = [];
  show(playbookRun(1, { summary: { actions_summary: [step('lookup', { items })] } }), {
    answers: {
      [`GET ${api}/${runId(1)}/actions/${actionUuid}`]: ({ url }) => {
        asked.push(url.search);
        return Response.json(
          url.search === ''
            ? result({ items: (['success', 'success', 'error'] as const).map((status, index) => ({ index, status })) })
            : result({ error_info: { code: 'VENDOR_REJECTED', message: 'Not this one.', retryable: false } }),
        );
      },
    },
  });
  fireEvent.click(await screen.findByRole('button', { name: /3 of 3, 1 failed/, expanded: false }));
  const list = within(await screen.findByRole('region', { name: 'Items of the list' }));
  fireEvent.click(list.getAllByRole('button')[0] as HTMLElement);
  await screen.findByText('Not this one.');
  expect(asked.at(-1)).toBe('?item=2');
});

test('a sub-playbook leads to its own run', async () => {
  const child = playbookRun(5, { summary: { workflow_name: 'Inner', parent_run_id: runId(1) } });
  const run = playbookRun(1, {
    summary: { actions_summary: [step('inner', { kind: 'playbook', child_run_id: runId(5) })] },
  });
  run.playbook.definition.actions = [{ id: 'inner', kind: 'playbook', playbook_id: playbookId(5) }];
  show(run, { answers: { [`GET ${api}/${runId(5)}`]: () => Response.json(child) } });
  fireEvent.click(await screen.findByRole('button', { name: /^Inner/, expanded: false }));
  const link = await screen.findByRole('link', { name: 'Open the run of “Inner”' });
  expect(link.getAttribute('href')).toBe(`/activity/playbooks/${runId(5)}`);
});

test.each([
  { tried: true, words: 1, variant: 'default' },
  { tried: false, words: 0, variant: 'filled' },
])('the question of a try says that no answer changes anything, and warns of none (try: $tried)', async (told) => {
  const dangerous = {
    ...question,
    options: question.options.map((option) => ({ ...option, style: 'danger' as const })),
  };
  const dry = told.tried ? ({ dry_run: true } as const) : {};
  show(playbookRun(1, { summary: { status: 'waiting', time_finished: null, actions_summary: waiting, ...dry } }), {
    answers: { [`GET ${api}/${runId(1)}/prompt/${promptId}`]: () => Response.json(dangerous) },
  });
  const block = await screen.findByRole('button', { name: 'Block' });
  expect(block.dataset.variant).toBe(told.variant);
  expect(screen.queryAllByText('Dry run: nothing is changed, whatever you answer.')).toHaveLength(told.words);
});

test('a link of a notice says what it is about to answer, and answers with its signed text', async () => {
  const sent: unknown[] = [];
  const answered = { option: 'block', username: 'ana.souza@northwind.example', at: question.asked_at, comment: null };
  const now = () => (sent.length === 0 ? question : { ...question, answered });
  show(playbookRun(1, { summary: { status: 'waiting', time_finished: null, actions_summary: waiting } }), {
    search: `?prompt=${promptId}&answer=signed`,
    answers: {
      [`GET ${api}/${runId(1)}/prompt/${promptId}`]: ({ url }) =>
        Response.json({ ...now(), link_option: url.searchParams.get('answer') === 'signed' ? 'block' : undefined }),
      [`POST ${api}/${runId(1)}/prompt/${promptId}`]: ({ body }) => {
        sent.push(body);
        return Response.json(now());
      },
    },
  });
  await screen.findByText(/You are about to answer/);
  expect(screen.queryByRole('button', { name: 'Ignore' })).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Answer: Block' }));
  await screen.findByText(/chose/);
  expect(sent).toEqual([{ option: 'block', token: 'signed' }]);
});

test('a link that was used answers nothing, but the question can be answered', async () => {
  const sent: unknown[] = [];
  show(playbookRun(1, { summary: { status: 'waiting', time_finished: null, actions_summary: waiting } }), {
    search: `?prompt=${promptId}&answer=used`,
    answers: {
      [`GET ${api}/${runId(1)}/prompt/${promptId}`]: () => Response.json({ ...question, link_option: null }),
      [`POST ${api}/${runId(1)}/prompt/${promptId}`]: ({ body }) => {
        sent.push(body);
        return Response.json(question);
      },
    },
  });
  await screen.findByText(/The link you came by has been used/);
  fireEvent.click(screen.getByRole('button', { name: 'Ignore' }));
  await waitFor(() => expect(sent).toEqual([{ option: 'ignore' }]));
});

test('where two must agree, the second is told who chose what and can only confirm it', async () => {
  const first = { option: 'block', username: 'maria.silva@northwind.example', at: question.asked_at };
  show(playbookRun(1, { summary: { status: 'waiting', time_finished: null, actions_summary: waiting } }), {
    answers: {
      [`GET ${api}/${runId(1)}/prompt/${promptId}`]: () =>
        Response.json({ ...question, second_approval: { required: true, first } }),
    },
  });
  await screen.findByText('A second person must confirm.');
  expect(screen.getByText('Maria Silva')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Confirm: Block' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Ignore' })).toBeNull();
});

test('a comment being typed stays when a colleague approves first, and so does the focus', async () => {
  const first = { option: 'block', username: 'maria.silva@northwind.example', at: question.asked_at };
  let second_approval: Prompt['second_approval'] = { required: true, first: null };
  const run = playbookRun(1, { summary: { status: 'waiting', time_finished: null, actions_summary: waiting } });
  const { app } = show(run, {
    answers: {
      [`GET ${api}/${runId(1)}/prompt/${promptId}`]: () => Response.json({ ...question, second_approval }),
    },
  });
  const comment = await screen.findByLabelText<HTMLTextAreaElement>('Comment');
  act(() => comment.focus());
  fireEvent.change(comment, { target: { value: 'Seen at the proxy too' } });
  second_approval = { required: true, first };
  await app.queryClient.invalidateQueries({ queryKey: [ownTenant, 'prompts'] });
  await screen.findByRole('button', { name: 'Confirm: Block' });
  expect(screen.getByLabelText<HTMLTextAreaElement>('Comment').value).toBe('Seen at the proxy too');
  expect(document.activeElement).toBe(comment);
});

test('a comment that was sent with the first answer is not said again with another one', async () => {
  const sent: unknown[] = [];
  const first = { option: 'block', username: 'ana.souza@northwind.example', at: question.asked_at };
  const now = () => ({ ...question, second_approval: { required: true, first: sent.length === 0 ? null : first } });
  show(playbookRun(1, { summary: { status: 'waiting', time_finished: null, actions_summary: waiting } }), {
    answers: {
      [`GET ${api}/${runId(1)}/prompt/${promptId}`]: () => Response.json(now()),
      [`POST ${api}/${runId(1)}/prompt/${promptId}`]: ({ body }) => {
        sent.push(body);
        return Response.json(now());
      },
    },
  });
  fireEvent.change(await screen.findByLabelText('Comment'), { target: { value: 'Looks bad' } });
  fireEvent.click(screen.getByRole('button', { name: 'Block' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Block' })).toBeNull());
  expect(sent).toEqual([{ option: 'block', comment: 'Looks bad' }]);
  await waitFor(() => expect(screen.getByLabelText<HTMLTextAreaElement>('Comment').value).toBe(''));
});

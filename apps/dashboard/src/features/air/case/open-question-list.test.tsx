import type { Prompt } from '@airdeck/contracts/activity/schema';
import type { CaseActivity, CaseActivityKind, CaseDetail } from '@airdeck/contracts/cases/schema';
import type { ActionStatus, RunStatus } from '@airdeck/contracts/statuses';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ownTenant } from '../../../session/fixtures.ts';
import { failure, showApp } from '../../../test-app.tsx';
import { acknowledgedCase } from './case-fixtures.ts';

vi.setConfig({ testTimeout: 60_000 });
const casePath = `/api/tenants/${ownTenant}/case/${acknowledgedCase.id}`;
const run = '01920000-0000-7000-8000-000000000801';
const promptId = '01920000-0000-7000-8000-000000000b01';
const RUN = `/api/tenants/${ownTenant}/soar/playbook_activity/${run}`;
const at = '2026-11-21T10:00:00.000Z';
const question: Prompt = {
  ...{ id: promptId, run_id: run, action_id: 'approve', message: 'Block the address?', asked_at: at, expires_at: null },
  options: [
    { value: 'block', label: 'Block' },
    { value: 'ignore', label: 'Ignore' },
  ],
  ...{ default_option: null, approvers: {}, can_answer: true, second_approval: { required: false, first: null } },
  answered: null,
};

function entry(kind: CaseActivityKind, number: number): CaseActivity {
  const id = `01920000-0000-7000-8000-00000000040${number}`;
  return { id, at, username: 'system', kind, text: '', data: { run_id: run, prompt_id: promptId, option: 'ignore' } };
}

/** The page of a case with a question of a run; `show` says how both stand from then on. */
async function openCase(answer: () => Response) {
  let now: CaseDetail = acknowledgedCase;
  let step: ActionStatus | undefined;
  const prompt: Partial<Prompt> = {};
  const put = (status: RunStatus, kinds: CaseActivityKind[], stepNow?: ActionStatus) => {
    const response_name = `${status} ${kinds.length}`;
    const response = { response_name, response_type: 'playbook', workflow_instance_id: run, status } as const;
    now = { ...acknowledgedCase, alert_responses: [response], activity: kinds.map(entry) };
    step = stepNow;
  };
  put('running', ['prompt_asked']);
  const { app } = showApp(`/air/case-management/${acknowledgedCase.id}`, {
    answers: {
      [`GET ${casePath}`]: () => Response.json(now),
      [`GET ${RUN}`]: () =>
        step === undefined
          ? failure(503, 'STORE_UNAVAILABLE')
          : Response.json({
              summary: {
                ...{ workflow_uuid: run, status: 'success' },
                actions_summary: [{ prompt_id: promptId, status: step }],
              },
            }),
      [`GET ${RUN}/prompt/${promptId}`]: () => Response.json({ ...question, ...prompt }),
      [`POST ${RUN}/prompt/${promptId}`]: answer,
    },
  });
  await card();
  const readAgain = () => app.queryClient.invalidateQueries();
  return {
    prompt,
    put,
    readAgain,
    show: async (...how: Parameters<typeof put>) => {
      put(...how);
      await readAgain();
      await screen.findByRole('link', { name: now.alert_responses[0]?.response_name ?? '' });
    },
  };
}

const name = 'Question of a response';
const card = async () => within(await screen.findByRole('region', { name }));
const comment = async () => (await card()).findByRole<HTMLTextAreaElement>('textbox');
const answerBlock = async () => fireEvent.click(await (await card()).findByRole('button', { name: 'Block' }));

test('a comment that is being written outlives what another branch of the run does', async () => {
  const { show } = await openCase(() => failure(503, 'STORE_UNAVAILABLE'));
  const field = await comment();
  fireEvent.change(field, { target: { value: 'Seen twice.' } });
  await show('waiting', ['prompt_asked'], 'waiting');
  await show('running', [], 'waiting');
  await show('running', ['prompt_asked'], 'waiting');
  expect(await comment()).toBe(field);
  expect(field.value).toBe('Seen twice.');
});

test('whoever answers second is told in the case who was first', async () => {
  const { prompt, put, readAgain } = await openCase(() => {
    prompt.answered = { option: 'ignore', username: 'maria.silva@northwind.example', at, comment: null };
    put('success', ['prompt_asked', 'prompt_answered', 'run_finished'], 'success');
    return failure(409, 'PROMPT_ALREADY_ANSWERED');
  });
  await answerBlock();
  await (await card()).findByText('Your answer came second; the first one counts.');
  await readAgain();
  const here = await card();
  expect(here.getByText('Your answer came second; the first one counts.')).toBeTruthy();
  expect(here.getByText('Maria Silva')).toBeTruthy();
  expect(here.queryByRole('button', { name: 'Block' })).toBeNull();
});

test('whoever answers what is closed by now is told so', async () => {
  const { prompt, put } = await openCase(() => {
    prompt.can_answer = false;
    put('cancelled', ['prompt_asked', 'run_finished'], 'cancelled');
    return failure(409, 'PROMPT_CLOSED', 'This question is no longer open.');
  });
  await answerBlock();
  await (await card()).findByText('This question is closed without an answer.');
  expect((await card()).queryByRole('button', { name: 'Block' })).toBeNull();
});

test('what somebody else answers goes, and so does what is closed while its run goes on', async () => {
  const { show } = await openCase(() => failure(503, 'STORE_UNAVAILABLE'));
  await show('running', ['prompt_asked'], 'cancelled');
  await waitFor(() => expect(screen.queryByRole('region', { name })).toBeNull());
  await show('running', ['prompt_asked'], 'waiting');
  await card();
  await show('running', ['prompt_asked', 'prompt_answered'], 'success');
  await waitFor(() => expect(screen.queryByRole('region', { name })).toBeNull());
});

import type { PlaybookRun } from '@airdeck/contracts/activity/schema';
import type { CaseActivity, CaseActivityKind, CaseDetail } from '@airdeck/contracts/cases/schema';
import type { ActionStatus, RunStatus } from '@airdeck/contracts/statuses';
import { describe, expect, it } from 'vitest';
import { isOpen, questionsOf, runsToAsk } from './open-questions.ts';

const at = '2026-11-21T01:00:00.000Z';
type Told = Pick<CaseDetail, 'activity' | 'alert_responses'>;

function entry(kind: CaseActivityKind, data: CaseActivity['data']): CaseActivity {
  return { id: `${kind}-${String(data.prompt_id)}`, at, username: 'system', kind, text: '', data };
}

function told(status: RunStatus, activity: CaseActivity[]): Told {
  const response = { response_name: 'Block', response_type: 'playbook', workflow_instance_id: 'run', status } as const;
  return { activity, alert_responses: [response] };
}

/** A run as it is read, with the actions that have asked. */
function runOf(steps: Record<string, ActionStatus>, workflow_uuid = 'run'): Pick<PlaybookRun, 'summary'> {
  const actions_summary = Object.entries(steps).map(([prompt_id, status]) => ({ prompt_id, status }));
  return { summary: { workflow_uuid, actions_summary } as unknown as PlaybookRun['summary'] };
}

const openIn = (of: Told, ...runs: Pick<PlaybookRun, 'summary'>[]) =>
  questionsOf(of, runs)
    .filter(isOpen)
    .map(({ runId, promptId }) => `${runId} ${promptId}`);

const asked = entry('prompt_asked', { run_id: 'run', prompt_id: 'first' });
const answered = entry('prompt_answered', { run_id: 'run', prompt_id: 'first', option: 'block' });

describe('questions of a case', () => {
  it('are open from when they are asked until they are answered', () => {
    const again = entry('prompt_asked', { run_id: 'run', prompt_id: 'second' });
    expect(openIn(told('waiting', [asked]))).toEqual(['run first']);
    expect(openIn(told('waiting', [asked, answered]))).toEqual([]);
    expect(openIn(told('waiting', [asked, answered, again]))).toEqual(['run second']);
  });

  it('are open while another branch of their run is at work', () => {
    expect(openIn(told('running', [asked]))).toEqual(['run first']);
  });

  it('are open also where a playbook asks that a response started, which is no response itself', () => {
    const below = entry('prompt_asked', { run_id: 'child', prompt_id: 'below' });
    expect(openIn(told('running', [below]))).toEqual(['child below']);
    expect(runsToAsk(told('running', [below]))).toEqual(['child', 'run']);
    const ended = entry('run_finished', { run_id: 'child', status: 'cancelled' });
    expect(openIn(told('running', [below, ended]))).toEqual([]);
  });

  it('are closed when their run has ended', () => {
    const ended = entry('run_finished', { run_id: 'run', status: 'cancelled' });
    expect(openIn(told('cancelled', [asked, ended]))).toEqual([]);
    expect(questionsOf(told('cancelled', [asked, ended]), [])).toMatchObject([{ status: 'cancelled' }]);
    expect(runsToAsk(told('cancelled', [asked, ended]))).toEqual([]);
  });

  it('are closed when their run says so, though it goes on', () => {
    expect(openIn(told('running', [asked]), runOf({ first: 'cancelled' }))).toEqual([]);
    expect(questionsOf(told('running', [asked]), [runOf({ first: 'error' })])).toMatchObject([{ status: 'error' }]);
    // Read before the run came to it.
    expect(openIn(told('running', [asked]), runOf({}))).toEqual(['run first']);
  });

  it('are looked for in the run when the story does not name them', () => {
    expect(runsToAsk(told('waiting', []))).toEqual(['run']);
    expect(runsToAsk(told('running', []))).toEqual(['run']);
    expect(openIn(told('running', []), runOf({ early: 'waiting', done: 'success' }))).toEqual(['run early']);
    expect(openIn(told('running', [asked]), runOf({ first: 'waiting', early: 'waiting' }))).toEqual([
      'run first',
      'run early',
    ]);
  });

  it('are not opened again by a run that was read before the answer', () => {
    expect(openIn(told('running', [asked, answered]), runOf({ first: 'waiting' }))).toEqual([]);
    expect(openIn(told('running', [answered]), runOf({ first: 'waiting' }))).toEqual([]);
  });
});

import type { CaseActivity, CaseActivityKind, CaseDetail } from '@airdeck/contracts/cases/schema';
import type { RunStatus } from '@airdeck/contracts/statuses';
import { describe, expect, it } from 'vitest';
import { openQuestions, unexplainedRuns } from './open-questions.ts';

const at = '2026-11-21T01:00:00.000Z';

function entry(kind: CaseActivityKind, data: CaseActivity['data']): CaseActivity {
  return { id: `${kind}-${String(data.prompt_id)}`, at, username: 'system', kind, text: '', data };
}

function told(status: RunStatus, activity: CaseActivity[]): Pick<CaseDetail, 'activity' | 'alert_responses'> {
  const response = { response_name: 'Block', response_type: 'playbook', workflow_instance_id: 'run', status } as const;
  return { activity, alert_responses: [response] };
}

const asked = entry('prompt_asked', { run_id: 'run', prompt_id: 'first' });

describe('questions of a case', () => {
  it('are open from when they are asked until they are answered', () => {
    const answered = entry('prompt_answered', { run_id: 'run', prompt_id: 'first', option: 'block' });
    const again = entry('prompt_asked', { run_id: 'run', prompt_id: 'second' });
    expect(openQuestions(told('waiting', [asked]))).toEqual([{ runId: 'run', promptId: 'first' }]);
    expect(openQuestions(told('waiting', [asked, answered]))).toEqual([]);
    expect(openQuestions(told('waiting', [asked, answered, again]))).toEqual([{ runId: 'run', promptId: 'second' }]);
  });

  it('are closed when their run does not wait any more', () => {
    expect(openQuestions(told('cancelled', [asked]))).toEqual([]);
  });

  it('are looked for in the run when the story does not name one', () => {
    expect(unexplainedRuns(told('waiting', []))).toEqual(['run']);
    expect(unexplainedRuns(told('waiting', [asked]))).toEqual([]);
    expect(unexplainedRuns(told('running', []))).toEqual([]);
  });
});

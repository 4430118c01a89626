import type { PlaybookRun } from '@airdeck/contracts/activity/schema';
import type { CaseDetail } from '@airdeck/contracts/cases/schema';

export type Question = { readonly runId: string; readonly promptId: string };

type Told = Pick<CaseDetail, 'activity' | 'alert_responses'>;

/**
 * What runs of a case wait to be told. The story names each question and its answer; a question counts only while its
 * run waits, because a run that was cancelled leaves its question without an answer.
 */
export function openQuestions({ activity, alert_responses }: Told): Question[] {
  const answered = new Set(activity.filter(({ kind }) => kind === 'prompt_answered').map(({ data }) => data.prompt_id));
  const waiting = waitingRuns({ alert_responses });
  return activity.flatMap(({ kind, data: { run_id: runId, prompt_id: promptId } }) => {
    const isOpen = kind === 'prompt_asked' && !answered.has(promptId);
    if (!isOpen || typeof runId !== 'string' || typeof promptId !== 'string') return [];
    return waiting.includes(runId) ? [{ runId, promptId }] : [];
  });
}

/** Runs that wait although the story names no open question of theirs: the run itself knows what for. */
export function unexplainedRuns(of: Told): string[] {
  const explained = new Set(openQuestions(of).map(({ runId }) => runId));
  return waitingRuns(of).filter((runId) => !explained.has(runId));
}

/** Open questions of a run, from the state of its actions. */
export function questionsOfRun({ summary }: Pick<PlaybookRun, 'summary'>): Question[] {
  return summary.actions_summary.flatMap(({ status, prompt_id: promptId }) =>
    status === 'waiting' && promptId !== null ? [{ runId: summary.workflow_uuid, promptId }] : [],
  );
}

function waitingRuns({ alert_responses }: Pick<Told, 'alert_responses'>): string[] {
  return alert_responses
    .filter(({ status, response_type }) => status === 'waiting' && response_type === 'playbook')
    .map(({ workflow_instance_id }) => workflow_instance_id);
}

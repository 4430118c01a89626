import type { PlaybookRun } from '@airdeck/contracts/activity/schema';
import type { CaseDetail } from '@airdeck/contracts/cases/schema';
import type { ActionStatus } from '@airdeck/contracts/statuses';

export type Question = { readonly runId: string; readonly promptId: string };
/** `waiting` while somebody can answer it, `success` once somebody has; anything else: it is closed without an answer. */
export type AskedQuestion = Question & { readonly status: ActionStatus };

type Told = Pick<CaseDetail, 'activity' | 'alert_responses'>;

/**
 * Every question of a case, open or not: those the story names in its order, then those only their runs know. What the runs
 * say is read apart and may be older than the story, so it closes questions but opens none again.
 */
export function questionsOf(of: Told, runs: readonly Pick<PlaybookRun, 'summary'>[]): AskedQuestion[] {
  const byRuns = runs.flatMap(questionsOfRun);
  const inRun = new Map(byRuns.map(({ promptId, status }) => [promptId, status]));
  const told = toldQuestions(of).map((question) =>
    isOpen(question) ? { ...question, status: inRun.get(question.promptId) ?? question.status } : question,
  );
  const known = new Set(told.map(({ promptId }) => promptId));
  const statusOf = toldStatus(of);
  const more = byRuns.filter(({ promptId }) => !known.has(promptId));
  return [...told, ...more.map((each) => (isOpen(each) ? { ...each, status: statusOf(each) } : each))];
}

/**
 * Runs that know what the story does not: which questions were closed while their run went on, and, of responses that go
 * on, those that were asked before the story begins.
 */
export function runsToAsk(of: Told): string[] {
  const asking = toldQuestions(of)
    .filter(isOpen)
    .map(({ runId }) => runId);
  const goingOn = of.alert_responses
    .filter(
      ({ status, response_type }) => response_type === 'playbook' && (status === 'waiting' || status === 'running'),
    )
    .map(({ workflow_instance_id }) => workflow_instance_id);
  return [...new Set([...asking, ...goingOn])];
}

export function isOpen({ status }: AskedQuestion): boolean {
  return status === 'waiting';
}

/** Also those of playbooks that a response started: they are in the story, but not among the responses. */
function toldQuestions(of: Pick<Told, 'activity'>): AskedQuestion[] {
  const statusOf = toldStatus(of);
  return of.activity.flatMap(({ kind, data: { run_id: runId, prompt_id: promptId } }) => {
    if (kind !== 'prompt_asked' || typeof runId !== 'string' || typeof promptId !== 'string') return [];
    return [{ runId, promptId, status: statusOf({ runId, promptId }) }];
  });
}

/** What became of a question as far as the story tells. A run that has ended leaves what nobody answered without an answer. */
function toldStatus({ activity }: Pick<Told, 'activity'>): (question: Question) => ActionStatus {
  const answered = new Set(activity.filter(({ kind }) => kind === 'prompt_answered').map(({ data }) => data.prompt_id));
  const ended = new Set(activity.filter(({ kind }) => kind === 'run_finished').map(({ data }) => data.run_id));
  return ({ runId, promptId }) => (answered.has(promptId) ? 'success' : ended.has(runId) ? 'cancelled' : 'waiting');
}

function questionsOfRun({ summary }: Pick<PlaybookRun, 'summary'>): AskedQuestion[] {
  return summary.actions_summary.flatMap(({ status, prompt_id: promptId }) =>
    promptId === null ? [] : [{ runId: summary.workflow_uuid, promptId, status }],
  );
}

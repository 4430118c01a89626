import type { PlaybookRun, RunActionSummary } from '@airdeck/contracts/activity/schema';
import type { PlaybookAction } from '@airdeck/contracts/playbooks/schema';

export type RunStep = { action: PlaybookAction; summary: RunActionSummary };

/** Actions of a run's definition, each with how it stands. */
export function runStepsOf(run: PlaybookRun): RunStep[] {
  const states = new Map(run.summary.actions_summary.map((summary) => [summary.workflow_action_id, summary]));
  return run.playbook.definition.actions.flatMap((action) => {
    const summary = states.get(action.id);
    return summary === undefined ? [] : [{ action, summary }];
  });
}

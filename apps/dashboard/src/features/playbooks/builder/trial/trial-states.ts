import type { PlaybookRun } from '@airdeck/contracts/activity/schema';
import type { StepState } from '../../../../components/flow/edge-looks.ts';
import { stepState } from '../../../../components/flow/step-state.ts';

/** How each step of a run stands, by its id. */
export function trialStates(run: PlaybookRun): ReadonlyMap<string, StepState> {
  return new Map(run.summary.actions_summary.map((each) => [each.workflow_action_id, stepState(each)]));
}

/**
 * What a response would have done for a case of the past. Nothing is kept of it and nothing acts: an action is not run, and
 * of a playbook there is a dry run, which only reads.
 */
import type { JsonObject } from '@airdeck/contracts/fields';
import type { RuleResponseDryRun } from '@airdeck/contracts/rule-responses/schema';
import { AppError } from '../../http/app-error.ts';
import type { Caller } from '../../http/handlers.ts';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { ActionCatalogue } from '../actions/action-catalogue.ts';
import type { RunnablePlaybook, RunnablePlaybooks, TryPlaybook } from '../playbooks/playbooks-port.ts';
import type { WantedResponse } from './response-changes.ts';
import type { ResponseCheck } from './response-check.ts';
import { contextOf, decidedCondition, filledInputs, type ResponseExpressions } from './response-context.ts';
import type { OpenedCase } from './rule-responses-port.ts';

/** A case as it was when it opened; undefined when the tenant has none, or none with events. */
type FindOpenedCase = (tx: Tx, scope: TenantScope, caseId: string) => Promise<OpenedCase | undefined>;

export type TrialDependencies = {
  actions: Pick<ActionCatalogue, 'find'>;
  playbooks: Pick<RunnablePlaybooks, 'getForRun'>;
  expressions: Pick<ResponseExpressions, 'render' | 'condition'>;
  check: ResponseCheck;
  tryPlaybook: TryPlaybook;
  openedCase: FindOpenedCase;
};

type Trial = { wanted: WantedResponse; caseId: string; caller: Caller; idempotencyKey: string | undefined };
type Problem = RuleResponseDryRun['problems'][number];

export function createResponseTrial(deps: TrialDependencies) {
  async function actionProblems(tx: Tx, scope: TenantScope, name: string, inputs: JsonObject): Promise<Problem[]> {
    const action = await deps.actions.find(name, tx, scope);
    if (action === undefined) throw new AppError('NOT_FOUND', { message: 'This action does not exist.' });
    return deps.check.actionInputs(action, inputs);
  }

  return async (tx: Tx, scope: TenantScope, trial: Trial): Promise<RuleResponseDryRun> => {
    const { wanted, caseId } = trial;
    const opened = await deps.openedCase(tx, scope, caseId);
    if (opened === undefined)
      throw new AppError('NOT_FOUND', { message: 'This case does not exist, or has no events.' });
    const playbook =
      wanted.response_type === 'playbook' ? await deps.playbooks.getForRun(tx, scope, wanted.definition_id) : undefined;
    const context = contextOf(opened);
    const decided = decidedCondition(deps.expressions, wanted.conditions, context);
    const filled = filledInputs(deps.expressions, wanted.inputs, context);
    const base = {
      condition: 'holds' in decided ? { ...decided, problem: null } : { holds: null, ...decided },
      run_id: null,
      context,
    };
    if ('problem' in filled) {
      return { ...base, inputs: null, problems: [{ path: 'inputs', message: filled.problem }] };
    }
    const { inputs } = filled;
    const problems =
      playbook === undefined
        ? await actionProblems(tx, scope, wanted.definition_id, inputs)
        : deps.check.playbookInputs(versionKey(playbook, wanted), playbook.definition.inputs, inputs);
    if (playbook === undefined || problems.length > 0 || base.condition.holds !== true) {
      return { ...base, inputs, problems };
    }
    const { caller, idempotencyKey } = trial;
    const run = await deps.tryPlaybook(tx, { scope, caller, playbook, inputs, idempotencyKey });
    return { ...base, inputs, problems, run_id: run.summary.workflow_uuid };
  };
}

function versionKey({ version }: RunnablePlaybook, { definition_id: id }: WantedResponse): string {
  return `${id} ${version}`;
}

import type { JsonObject } from '@airdeck/contracts/fields';
import { outcomeTexts } from '@airdeck/contracts/outcome-texts';
import type { PlaybookDefinition } from '@airdeck/contracts/playbooks/schema';
import type { ResponseTrigger } from '@airdeck/contracts/rule-responses/schema';
import { AppError } from '../../http/app-error.ts';
import type { Tx } from '../../storage/schema.ts';
import { type TenantScope, trustedTenantScope } from '../../tenant-scope.ts';
import type { RunTrigger } from '../activity/run-trigger.ts';
import type { CaseStory } from '../cases/case-story.ts';
import type { PlaybooksService } from '../playbooks/playbooks-service.ts';
import type { TenantSettingsPort } from '../settings/settings-port.ts';
import type { AutomationBrake } from './automation-brake.ts';
import { contextOf, decidedCondition, filledInputs, type ResponseExpressions } from './response-context.ts';
import { addOutcomes, caseAnswers, type NewOutcome } from './response-outcomes.ts';
import {
  type ClockResponses,
  type OpenedCase,
  type ResponseResult,
  type RuleResponses,
  type StartResponse,
  switchedOff,
} from './rule-responses-port.ts';
import { enabledResponses, type RuleResponseRow } from './rule-responses-repository.ts';

/**
 * The one thing a response needs of the activity module: start a run in this transaction, at most once per key. What
 * cannot be started (unknown action, inputs that do not fit) is refused by an `AppError` before anything is written.
 */
export type StartRun = (
  tx: Tx,
  start: {
    scope: TenantScope;
    what: { kind: 'playbook'; name: string; definition: PlaybookDefinition } | { kind: 'action'; name: string };
    inputs: JsonObject;
    trigger: RunTrigger;
    /** Id of the API key of whoever asks for it, where a person does with one. */
    startedWith?: string | undefined;
    dedupKey: string;
  },
) => Promise<{ runId: string }>;

type Dependencies = {
  startRun: StartRun;
  playbooks: Pick<PlaybooksService, 'findForRun'>;
  expressions: Pick<ResponseExpressions, 'render' | 'condition'>;
  story: Pick<CaseStory, 'add'>;
  settings: Pick<TenantSettingsPort, 'automationEnabled'>;
  brake: AutomationBrake;
  now: () => Date;
  log: { warn(fields: Record<string, unknown>, message: string): void };
};

/**
 * A response that cannot start (automation is switched off, its playbook is gone, its condition or inputs fail) must not
 * keep the case from opening, nor the responses after it: the case's story says so instead. What each came to is kept in
 * the same transaction.
 */
export function createRuleResponses(deps: Dependencies): RuleResponses & ClockResponses {
  const start = createResponseStart(deps);

  async function answer(tx: Tx, opened: OpenedCase, what: ResponseTrigger): Promise<void> {
    const scope = trustedTenantScope(opened.tenant);
    const responses = await enabledResponses(tx, scope, { ruleId: opened.policyId, trigger: what });
    if (responses.length === 0) return;
    const automationOn = await deps.settings.automationEnabled(tx, opened.tenant);
    const context = contextOf(opened);
    const mayAnswer = deps.brake.of({ kind: 'policy', id: opened.policyId, name: opened.policyName }, caseAnswers);
    // A case counts once, however many of its policy's automations start for it.
    let isAllowed: Promise<boolean> | undefined;
    const outcomes: NewOutcome[] = [];
    for (const response of responses) {
      const trigger = triggerOf(response, opened);
      const dedupKey = dedupKeyOf(opened, response, what);
      const mayStart = () => (isAllowed ??= mayAnswer(tx, scope, response.response_name));
      const outcome = automationOn
        ? await start(tx, scope, { response, context, trigger, dedupKey, mayStart })
        : switchedOff;
      if (outcome.problem !== null) await tellProblem(deps, tx, opened, response.response_name, outcome.problem);
      const of = { ruleId: response.rule_id, responseName: response.response_name, caseId: opened.caseId };
      outcomes.push({ ...of, ...outcome, at: deps.now() });
    }
    await addOutcomes(tx, scope, outcomes);
  }

  return {
    onCaseOpened: (tx, opened) => answer(tx, opened, 'case_opened'),
    onCaseTime: answer,
  };
}

function failed(problem: string): ResponseResult {
  return { outcome: 'failed', runId: null, problem };
}

async function tellProblem(
  deps: Pick<Dependencies, 'log' | 'story'>,
  tx: Tx,
  opened: OpenedCase,
  responseName: string,
  problem: string,
): Promise<void> {
  deps.log.warn({ tenant: opened.tenant, case: opened.caseId, response: responseName }, problem);
  await deps.story.add(tx, {
    tenant: opened.tenant,
    caseId: opened.caseId,
    username: 'system',
    kind: 'run_finished',
    text: `${responseName} could not start: ${problem}`,
    data: { response_name: responseName, status: 'error' },
  });
}

/** The same for everything that answers by itself. */
export function createResponseStart(deps: Pick<Dependencies, 'expressions' | 'playbooks' | 'startRun'>): StartResponse {
  return async (tx, scope, { response, context, trigger, dedupKey, mayStart }) => {
    const decided = decidedCondition(deps.expressions, response.conditions, context);
    if ('problem' in decided) return failed(decided.problem);
    if (!decided.holds) return { outcome: 'skipped', runId: null, problem: null };
    const filled = filledInputs(deps.expressions, response.inputs, context);
    if ('problem' in filled) return failed(filled.problem);
    const playbook =
      response.response_type === 'playbook'
        ? await deps.playbooks.findForRun(tx, scope, response.definition_id)
        : undefined;
    if (response.response_type === 'playbook' && !playbook) return failed('Its playbook no longer exists.');
    if (!(await mayStart())) return { outcome: 'stopped', runId: null, problem: outcomeTexts.AUTOMATION_LOOP };
    try {
      const { runId } = await deps.startRun(tx, {
        scope,
        what: playbook ? { kind: 'playbook', ...playbook } : { kind: 'action', name: response.definition_id },
        inputs: filled.inputs,
        trigger,
        dedupKey,
      });
      return { outcome: 'started', runId, problem: null };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const details = (error.details ?? []).map(({ path, message }) => `${path} ${message}`);
      return failed([error.message, ...details].join(' '));
    }
  };
}

/**
 * Once for a case and moment of it. Changed to another moment, or made anew under the same name, it is another start: found
 * under the key of the first, that one's run would be taken for its own.
 */
function dedupKeyOf({ caseId }: OpenedCase, { response_name: name }: RuleResponseRow, what: ResponseTrigger): string {
  return what === 'case_opened' ? `response:${caseId}:${name}` : `response:${caseId}:${name}:${what}`;
}

function triggerOf(response: RuleResponseRow, opened: OpenedCase): RunTrigger {
  return {
    trigger_type: 'event',
    // Who saved it last: with whose rights it acts is whose name it bears.
    username: response.updated_by,
    user_tenant_id: opened.tenant,
    user_tenant_name: null,
    case_id: opened.caseId,
    acts_as: response.owner_user_id,
    response_name: response.response_name,
    connector_id: response.connector_id,
  };
}

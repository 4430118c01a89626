/**
 * Whether a rule's responses would work: asked before a rule is saved, and for every rule that is shown, since what they
 * name changes without them.
 */
import { createHash } from 'node:crypto';
import { hasRole } from '@airdeck/contracts/access/roles';
import type { AutomationResponse, AutomationRule } from '@airdeck/contracts/automation-rules/schema';
import type { Told } from '@airdeck/contracts/filled-text';
import { refusal } from '@airdeck/contracts/refusal-texts';
import type { ResponseProblemCode } from '@airdeck/contracts/rule-responses/schema';
import { AppError } from '../../http/app-error.ts';
import type { Question } from '../../http/confirmation.ts';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { ActionCatalogue } from '../actions/action-catalogue.ts';
import type { SchemaProblem } from '../actions/schema-check.ts';
import { destroyQuestion } from '../activity/destroy-question.ts';
import type { ConnectorsService } from '../connectors/connectors-service.ts';
import type { RunnablePlaybooks } from '../playbooks/playbooks-port.ts';
import type { ResponseCheck } from '../rule-responses/response-check.ts';
import type { ListedRule } from './automation-rules-repository.ts';

type Dependencies = {
  actions: Pick<ActionCatalogue, 'find'>;
  connectors: Pick<ConnectorsService, 'exists' | 'standing'>;
  playbooks: Pick<RunnablePlaybooks, 'getForRun' | 'findForRun'>;
  responseCheck: Pick<ResponseCheck, 'expressionProblems' | 'actionInputs' | 'playbookInputs'>;
};

type Detail = Told & { path: string };
type Problem = AutomationRule['problems'][number];
type Say = (code: ResponseProblemCode, told: Told) => Problem;
type ActionResponse = Extract<AutomationResponse, { response_type: 'action' }>;

export type RuleCheck = ReturnType<typeof createRuleCheck>;

const SHOWN_PROBLEMS = 3;

export function createRuleCheck({ actions, connectors, playbooks, responseCheck }: Dependencies) {
  async function wantedAction(tx: Tx, scope: TenantScope, response: ActionResponse) {
    const action = await actions.find(response.action_name, tx, scope);
    if (!action) throw new AppError('NOT_FOUND', refusal('AUTOMATION_ACTION_UNKNOWN', { name: response.name }));
    if (response.connector_id != null) {
      const connector = { definitionId: action.definition_id, connectorId: response.connector_id };
      if (!(await connectors.exists(tx, scope, connector))) {
        throw new AppError('NOT_FOUND', refusal('AUTOMATION_CONNECTOR_UNKNOWN', { name: response.name }));
      }
    }
    return action;
  }

  async function inputProblems(tx: Tx, scope: TenantScope, response: AutomationResponse): Promise<Detail[]> {
    const { inputs } = response;
    const templates = responseCheck.expressionProblems({ inputs, conditions: null });
    if (templates.length > 0) return templates;
    if (response.response_type === 'action') {
      return responseCheck.actionInputs(await wantedAction(tx, scope, response), inputs);
    }
    const playbook = await playbooks.getForRun(tx, scope, response.playbook_id);
    const key = `${response.playbook_id} ${playbook.version}`;
    return responseCheck.playbookInputs(key, playbook.definition.inputs, inputs);
  }

  async function problemOf(tx: Tx, scope: TenantScope, response: AutomationResponse): Promise<Problem | undefined> {
    const say: Say = (code, told) => ({ response_name: response.name, code, ...told });
    if (response.response_type === 'playbook') {
      const playbook = await playbooks.findForRun(tx, scope, response.playbook_id);
      if (playbook === undefined) return say('PLAYBOOK_GONE', refusal('AUTOMATION_PLAYBOOK_UNUSABLE'));
      const key = `${response.playbook_id} ${playbook.version}`;
      return unfit(responseCheck.playbookInputs(key, playbook.definition.inputs, response.inputs), say);
    }
    const action = await actions.find(response.action_name, tx, scope);
    if (action === undefined) return say('ACTION_GONE', refusal('AUTOMATION_ACTION_GONE'));
    const connectorId = response.connector_id ?? null;
    const connector = await connectors.standing(tx, scope, { definitionId: action.definition_id, connectorId });
    if (connectorId === null && action.requires_connector && connector === undefined) {
      return say('CONNECTOR_OFF', refusal('AUTOMATION_CONNECTOR_MISSING', { product: action.product }));
    }
    if (connectorId !== null && connector === undefined) {
      return say('CONNECTOR_GONE', refusal('AUTOMATION_CONNECTOR_GONE'));
    }
    if (connector?.isUsable === false) {
      return say('CONNECTOR_OFF', refusal('AUTOMATION_CONNECTOR_OFF', { name: connector.name }));
    }
    return unfit(responseCheck.actionInputs(action, response.inputs), say);
  }

  return {
    /** Throws NOT_FOUND, PLAYBOOK_NOT_PUBLISHED and VALIDATION_FAILED for what could never work. */
    async require(tx: Tx, scope: TenantScope, responses: readonly AutomationResponse[]): Promise<void> {
      const details: Detail[] = [];
      for (const [place, response] of responses.entries()) {
        for (const { path, ...told } of await inputProblems(tx, scope, response)) {
          details.push({ path: `body.actions.responses.${place}.${path}`, ...told });
        }
      }
      if (details.length === 0) return;
      throw new AppError('VALIDATION_FAILED', { message: 'The rule would not work as it stands.', details });
    },

    /** What has to be asked before it is saved: something that destroys would run by itself. Everything that does is named. */
    async question(
      tx: Tx,
      scope: TenantScope,
      rule: { id: string; name: string; event_category_id: string; responses: readonly AutomationResponse[] },
    ): Promise<Question | undefined> {
      const names = new Set<string>();
      const texts: Told[] = [];
      for (const response of rule.responses) {
        if (response.response_type !== 'action') continue;
        const action = await actions.find(response.action_name, tx, scope);
        if (action?.effect !== 'destroys') continue;
        names.add(action.friendly_name);
        texts.push(...destroyQuestion(action, response.inputs).text);
      }
      if (texts.length === 0) return undefined;
      return {
        object: createHash('sha256').update(JSON.stringify(rule)).digest('hex'),
        title: refusal('ASK_ACTION_BY_ITSELF', { rule: rule.name, action: [...names].join(', ') }),
        text: [...texts, refusal('ASK_ACTION_BY_ITSELF_ALERTS')],
        action_label: refusal('ASK_LABEL_LET_RUN'),
      };
    },

    /** What keeps a stored rule from working. */
    async problemsOf(tx: Tx, scope: TenantScope, rule: ListedRule): Promise<Problem[]> {
      const problems: Problem[] = [];
      const mayAct = rule.owner_role !== null && hasRole(rule.owner_role, 'Analyst');
      for (const response of rule.responses) {
        const found = await problemOf(tx, scope, response);
        if (found !== undefined) problems.push(found);
        if (mayAct) continue;
        const told = refusal('AUTOMATION_OWNER_MAY_NOT', { who: rule.updated_by });
        problems.push({ response_name: response.name, code: 'OWNER_MAY_NOT', ...told });
      }
      return problems;
    },
  };
}

function unfit(found: readonly SchemaProblem[], say: Say): Problem | undefined {
  if (found.length === 0) return undefined;
  return say('INPUTS_DO_NOT_FIT', refusal('AUTOMATION_INPUTS_UNFIT', { problems: found.slice(0, SHOWN_PROBLEMS) }));
}

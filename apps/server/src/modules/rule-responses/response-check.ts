/**
 * Whether a response would work: what it names is there, its inputs fit, its expressions compile. Asked before it is saved,
 * when it is tried, and for every row of the list, since what it names changes without it.
 */
import { hasRole } from '@airdeck/contracts/access/roles';
import type { JsonObject } from '@airdeck/contracts/fields';
import { refusal } from '@airdeck/contracts/refusal-texts';
import type { ResponseProblemCode, RuleResponse } from '@airdeck/contracts/rule-responses/schema';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { ActionCatalogue } from '../actions/action-catalogue.ts';
import { compileSchema, compileUserSchema, type SchemaProblem } from '../actions/schema-check.ts';
import { createInputCheck, type InputCheck } from '../playbooks/input-check.ts';
import type { ResponseExpressions } from './response-context.ts';
import type { ListedResponse } from './rule-responses-repository.ts';

type CheckDependencies = {
  actions: Pick<ActionCatalogue, 'find'>;
  expressions: Pick<ResponseExpressions, 'check' | 'checkTemplates'>;
};

export type ResponseCheck = ReturnType<typeof createResponseCheck>;
type Problem = RuleResponse['problems'][number];
type Action = NonNullable<Awaited<ReturnType<ActionCatalogue['find']>>>;

/** Compiled schemas of playbooks kept per process. */
const MAX_CHECKS = 500;
const SHOWN_PROBLEMS = 3;

export function createResponseCheck({ actions, expressions }: CheckDependencies) {
  const actionInputs = createInputCheck(compileSchema);
  const playbookInputs = createPlaybookInputChecks();

  function expressionProblems(response: { inputs: JsonObject; conditions: string | null }): SchemaProblem[] {
    const condition = response.conditions === null ? null : expressions.check(response.conditions);
    const templates = expressions.checkTemplates(response.inputs);
    return [
      ...(condition === null ? [] : [{ path: 'conditions', message: condition.message }]),
      ...templates.map(({ path, message }) => ({ path: ['inputs', ...path].join('.'), message })),
    ];
  }

  async function brokenDefinition(tx: Tx, scope: TenantScope, row: ListedResponse): Promise<Problem | undefined> {
    if (row.response_type === 'action') {
      const action = await actions.find(row.definition_id, tx, scope);
      if (action === undefined) return problem('ACTION_GONE', refusal('AUTOMATION_ACTION_GONE'));
      return connectorProblem(row, action) ?? inputsProblem(actionInputs(action, action.input_schema)(row.inputs));
    }
    if (row.playbook_name === null) return problem('PLAYBOOK_GONE', refusal('AUTOMATION_PLAYBOOK_GONE'));
    if (row.playbook_inputs === null || row.playbook_version === null) {
      return problem('PLAYBOOK_NOT_PUBLISHED', refusal('AUTOMATION_PLAYBOOK_DRAFT'));
    }
    const check = playbookInputs(`${row.definition_id} ${row.playbook_version}`, row.playbook_inputs);
    return inputsProblem(check(row.inputs));
  }

  return {
    expressionProblems,
    /** Problems of written-out inputs of an action; what expressions give is not known yet. */
    actionInputs: (action: Action, inputs: JsonObject) => placed(actionInputs(action, action.input_schema)(inputs)),
    playbookInputs: (key: string, schema: JsonObject, inputs: JsonObject) =>
      placed(playbookInputs(key, schema)(inputs)),

    /** Everything that keeps a stored response from working, worst first. */
    async problemsOf(tx: Tx, scope: TenantScope, row: ListedResponse): Promise<Problem[]> {
      const mayAct = row.owner_user_id === null || (row.owner_role !== null && hasRole(row.owner_role, 'Analyst'));
      const broken = await brokenDefinition(tx, scope, row);
      return [
        ...(row.policy_name === null ? [problem('POLICY_GONE', refusal('AUTOMATION_POLICY_GONE'))] : []),
        ...(broken === undefined ? [] : [broken]),
        ...(mayAct ? [] : [problem('OWNER_MAY_NOT', refusal('AUTOMATION_OWNER_MAY_NOT', { who: row.updated_by }))]),
        ...(row.policy_enabled === false ? [problem('POLICY_OFF', refusal('AUTOMATION_POLICY_OFF'))] : []),
      ];
    },
  };
}

/** By playbook and version, so that a list does not compile a schema for every row. */
function createPlaybookInputChecks() {
  const checkFor = createInputCheck(compileUserSchema);
  const kept = new Map<string, JsonObject>();
  return (key: string, schema: JsonObject): InputCheck => {
    const owner = kept.get(key) ?? schema;
    if (!kept.has(key)) {
      if (kept.size >= MAX_CHECKS) kept.clear();
      kept.set(key, schema);
    }
    return checkFor(owner, owner);
  };
}

function connectorProblem(row: ListedResponse, action: Action): Problem | undefined {
  if (row.connector_id === null) {
    if (!action.requires_connector || row.has_default) return undefined;
    return problem('CONNECTOR_OFF', refusal('AUTOMATION_CONNECTOR_MISSING', { product: action.product }));
  }
  if (row.connector_name === null) return problem('CONNECTOR_GONE', refusal('AUTOMATION_CONNECTOR_GONE'));
  if (row.connector_enabled === true && row.connector_state !== 'paused') return undefined;
  return problem('CONNECTOR_OFF', refusal('AUTOMATION_CONNECTOR_OFF', { name: row.connector_name }));
}

function inputsProblem(found: readonly SchemaProblem[]): Problem | undefined {
  if (found.length === 0) return undefined;
  return problem('INPUTS_DO_NOT_FIT', refusal('AUTOMATION_INPUTS_UNFIT', { problems: found.slice(0, SHOWN_PROBLEMS) }));
}

function problem(code: ResponseProblemCode, told: Omit<Problem, 'code'>): Problem {
  return { code, ...told };
}

function placed(found: readonly SchemaProblem[]): SchemaProblem[] {
  return found.map((problem) => ({ ...problem, path: problem.path === '' ? 'inputs' : `inputs.${problem.path}` }));
}

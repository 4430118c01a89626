import { type ActionDefinition, publishedAction } from '@airdeck/connector-kit/definition';
import type { ConnectorRegistry } from '@airdeck/connector-kit/registry';
import type { ActionDefinition as PublishedAction } from '@airdeck/contracts/actions/schema';
import type { JsonObject } from '@airdeck/contracts/fields';
import { valueTexts } from '@airdeck/contracts/value-texts';
import type { ActionTraits } from '@airdeck/engine/interfaces';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import { isOwnIntegration, type OwnIntegrations } from '../openapi-import/openapi-import-port.ts';
import { compileSchemaCheck, type SchemaCheck, type SchemaProblem } from './schema-check.ts';

/**
 * What a tenant can do, by action name: for people, for the engine, and to check inputs before anything starts. The
 * product's actions are the same for everybody and cost no query; those of imported integrations are found inside their
 * tenant only.
 */
export interface ActionCatalogue {
  list(tx: Tx, scope: TenantScope): Promise<readonly PublishedAction[]>;
  find(actionName: string, tx: Tx, scope: TenantScope): Promise<ActionDefinition | undefined>;
  /** Friendly name; the id itself for an action that is gone. */
  label(actionName: string, tx: Tx, scope: TenantScope): Promise<string>;
  /** What the engine must know to repeat the action safely. */
  traits(actionName: string, tx: Tx, scope: TenantScope): Promise<ActionTraits | undefined>;
  /** Every problem of an input; empty when it fits. */
  checkInput(action: ActionDefinition, input: unknown): SchemaProblem[];
}

/** Where an input's paths begin. */
const ROOT = 'action_input';

const noneOwn: OwnIntegrations = { find: () => Promise.resolve(undefined), list: () => Promise.resolve([]) };

export function createActionCatalogue(
  registry: Pick<ConnectorRegistry, 'listActions' | 'findAction'>,
  own: OwnIntegrations = noneOwn,
): ActionCatalogue {
  const published = registry.listActions().map(publishedAction);
  /** Compiled when first asked for, as most never are. Those of imported actions go with their definitions. */
  const checks = new WeakMap<ActionDefinition, SchemaCheck>();

  async function find(name: string, tx: Tx, scope: TenantScope): Promise<ActionDefinition | undefined> {
    const definitionId = name.slice(0, Math.max(0, name.indexOf('.')));
    if (!isOwnIntegration(definitionId)) return registry.findAction(name);
    const definition = await own.find(definitionId, tx, scope);
    return definition?.actions.find((action) => action.action_id === name);
  }

  return {
    async list(tx, scope) {
      const imported = (await own.list(tx, scope)).flatMap(({ actions }) => actions.map(publishedAction));
      return imported.length === 0 ? published : [...published, ...imported];
    },
    find,
    label: async (name, tx, scope) => (await find(name, tx, scope))?.friendly_name ?? name,
    async traits(name, tx, scope) {
      const action = await find(name, tx, scope);
      return action && { effect: action.effect, idempotent: action.idempotent, timeoutMs: action.timeout_s * 1000 };
    },
    checkInput(action, input) {
      const problems = checkOf(checks, action)(input);
      // What does not fit the schema is not for the action to look at.
      return problems.length > 0 ? problems : ownProblems(action, input as JsonObject);
    },
  };
}

function ownProblems(action: ActionDefinition, input: JsonObject): SchemaProblem[] {
  return (action.inputProblems?.(input) ?? []).map(({ field, reason }) => ({
    path: `${ROOT}.${field}`,
    ...{ message: valueTexts[reason], reason, values: {} },
  }));
}

function checkOf(checks: WeakMap<ActionDefinition, SchemaCheck>, action: ActionDefinition): SchemaCheck {
  const known = checks.get(action);
  if (known !== undefined) return known;
  const check = compileSchemaCheck(action.input_schema, ROOT);
  checks.set(action, check);
  return check;
}

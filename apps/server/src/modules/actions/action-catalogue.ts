import { type ActionDefinition, publishedAction } from '@airdeck/connector-kit/definition';
import type { ConnectorRegistry } from '@airdeck/connector-kit/registry';
import type { ActionDefinition as PublishedAction } from '@airdeck/contracts/actions/schema';
import type { ActionTraits } from '@airdeck/engine/interfaces';
import { compileSchemaCheck, type SchemaProblem } from './schema-check.ts';

/** What can be done, by action name: for people, for the engine, and to check inputs before anything starts. */
export interface ActionCatalogue {
  list(): readonly PublishedAction[];
  find(actionName: string): ActionDefinition | undefined;
  /** Friendly name; the id itself for an action that is gone. */
  label(actionName: string): string;
  /** What the engine must know to repeat the action safely. */
  traits(actionName: string): ActionTraits | undefined;
  /** Every problem of an input; empty when it fits. */
  checkInput(actionName: string, input: unknown): SchemaProblem[];
}

export function createActionCatalogue(
  registry: Pick<ConnectorRegistry, 'listActions' | 'findAction'>,
): ActionCatalogue {
  const published = registry.listActions().map(publishedAction);
  const checks = new Map(
    registry.listActions().map((action) => [action.action_id, compileSchemaCheck(action.input_schema, 'action_input')]),
  );
  return {
    list: () => published,
    find: (name) => registry.findAction(name),
    label: (name) => registry.findAction(name)?.friendly_name ?? name,
    traits(name) {
      const action = registry.findAction(name);
      return action && { effect: action.effect, idempotent: action.idempotent, timeoutMs: action.timeout_s * 1000 };
    },
    checkInput: (name, input) => checks.get(name)?.(input) ?? [],
  };
}

import { type ActionDefinition, publishedAction } from '@airdeck/connector-kit/definition';
import type { ConnectorRegistry } from '@airdeck/connector-kit/registry';
import type { ActionDefinition as PublishedAction } from '@airdeck/contracts/actions/schema';
import type { ActionTraits } from '@airdeck/engine/interfaces';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

/** What can be done, by action name: for people, for the engine, and to check inputs before anything starts. */
export interface ActionCatalogue {
  list(): readonly PublishedAction[];
  find(actionName: string): ActionDefinition | undefined;
  /** Friendly name; the id itself for an action that is gone. */
  label(actionName: string): string;
  /** What the engine must know to repeat the action safely. */
  traits(actionName: string): ActionTraits | undefined;
  /** Every problem of an input; empty when it fits. */
  checkInput(actionName: string, input: unknown): { path: string; message: string }[];
}

export function createActionCatalogue(registry: ConnectorRegistry): ActionCatalogue {
  const ajv = new Ajv2020({ allErrors: true, strict: false, validateFormats: false });
  const published = registry.listActions().map(publishedAction);
  const validators = new Map<string, ValidateFunction>(
    registry.listActions().map((action) => [action.action_id, ajv.compile(action.input_schema)]),
  );
  return {
    list: () => published,
    find: (name) => registry.findAction(name),
    label: (name) => registry.findAction(name)?.friendly_name ?? name,
    traits(name) {
      const action = registry.findAction(name);
      return action && { effect: action.effect, idempotent: action.idempotent, timeoutMs: action.timeout_s * 1000 };
    },
    checkInput(name, input) {
      const validate = validators.get(name);
      if (!validate || validate(input)) return [];
      return (validate.errors ?? []).map((error) => ({
        path: `action_input${error.instancePath.replaceAll('/', '.')}`,
        message: error.message ?? 'does not fit',
      }));
    },
  };
}

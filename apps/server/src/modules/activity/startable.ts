import type { ErrorDetailBody } from '@airdeck/contracts/error-codes';
import type { JsonObject } from '@airdeck/contracts/fields';
import type { PlaybookDefinition } from '@airdeck/contracts/playbooks/schema';
import type { Definition } from '@airdeck/engine/definition';
import type { DefinitionProblem } from '@airdeck/engine/definition-validation';
import { EngineError } from '@airdeck/engine/errors';
import type { ActionTraits } from '@airdeck/engine/interfaces';
import { AppError } from '../../http/app-error.ts';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { ActionCatalogue } from '../actions/action-catalogue.ts';
import { compileUserSchemaCheck } from '../actions/schema-check.ts';
import type { StartRun } from '../rule-responses/rule-responses-service.ts';

type Startable = Parameters<StartRun>[1]['what'];

const RETRY_AFTER_S = 60;

/** Everything that can be known to be wrong before a run exists is said to whoever starts it. */
export async function requireStartable(
  actions: Pick<ActionCatalogue, 'find' | 'checkInput'>,
  tx: Tx,
  scope: TenantScope,
  { what, inputs }: { what: Startable; inputs: JsonObject },
): Promise<void> {
  if (what.kind === 'playbook') {
    const details = compileUserSchemaCheck(what.definition.inputs, 'inputs')(inputs);
    if (details.length > 0) {
      throw new AppError('VALIDATION_FAILED', { message: 'The inputs do not fit the playbook.', details });
    }
    return;
  }
  const action = await actions.find(what.name, tx, scope);
  if (!action) throw new AppError('NOT_FOUND', { message: 'This action does not exist.' });
  const details = actions.checkInput(action, inputs);
  if (details.length > 0) throw new AppError('ACTION_INPUT_INVALID', { details });
}

export async function refusingInvalid<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof EngineError && (error.code === 'DEFINITION_INVALID' || error.code === 'INPUT_TOO_LARGE')) {
      throw new AppError('VALIDATION_FAILED', { message: error.message, details: problemsOf(error), cause: error });
    }
    if (error instanceof EngineError && error.code === 'TOO_MANY_OPEN_RUNS') {
      throw new AppError('TOO_MANY_OPEN_RUNS', { retryAfterS: RETRY_AFTER_S, cause: error });
    }
    throw error;
  }
}

/** What is wrong with a definition, as the engine lists it. */
function problemsOf({ details: { problems } }: EngineError): ErrorDetailBody[] {
  return Array.isArray(problems)
    ? (problems as DefinitionProblem[]).map(({ path, message, reason, values }) => ({ path, message, reason, values }))
    : [];
}

export async function traitsFor(
  definition: Pick<PlaybookDefinition, 'actions'> | Definition,
  traitsOf: (actionName: string) => Promise<ActionTraits | undefined>,
): Promise<Record<string, ActionTraits>> {
  const traits: Record<string, ActionTraits> = {};
  for (const node of definition.actions) {
    if (node.kind !== 'action') continue;
    const known = await traitsOf(node.action);
    if (known) traits[node.action] = known;
  }
  return traits;
}

import type { JsonObject } from '@airdeck/contracts/fields';
import { StepFailure } from '@airdeck/engine/errors';
import type { StepExecutor } from '@airdeck/engine/interfaces';
import { type TenantScope, trustedTenantScope } from '../../tenant-scope.ts';
import type { ActionRunner } from '../actions/action-runner.ts';
import { fromOwnStore } from '../actions/own-store.ts';
import { type RunTrigger, readTrigger } from './run-trigger.ts';

type Dependencies = {
  runner: ActionRunner;
  /** What stands for the answer of an action that is not called in a dry run. */
  untried: (scope: TenantScope, actionName: string) => Promise<JsonObject>;
  /** Whether the user may still run actions in the tenant: asked when the action acts, not when the run was started. */
  mayRunActions: (scope: TenantScope, userId: string) => Promise<boolean>;
};

/** Runs one action of a run on the tenant's connector, with the rights of whoever started the run. */
export function createActionExecutor(deps: Dependencies): StepExecutor {
  return async (step) => {
    const scope = trustedTenantScope(step.tenantId);
    const trigger = readTrigger(step.trigger);
    const { acts_as } = trigger;
    if (acts_as !== null && !(await fromOwnStore(() => deps.mayRunActions(scope, acts_as), step.signal))) {
      throw new StepFailure('STARTER_NOT_AUTHORISED', 'The person this run acts for may no longer run actions here.');
    }
    // Before anything is opened: what a dry run does not call needs no connector either.
    if (step.dryRun && step.effect !== 'reads') {
      return await fromOwnStore(() => deps.untried(scope, step.name), step.signal);
    }
    return await deps.runner.run({
      scope,
      actionName: step.name,
      connectorId: chosenConnector(step.node, trigger),
      input: step.input,
      idempotencyKey: step.idempotencyKey,
      signal: step.signal,
      beforeCall: () => step.markCallStarted(),
    });
  };
}

/** The playbook's action names a connector, or the run does; otherwise the tenant's default one is taken. */
function chosenConnector(node: Readonly<Record<string, unknown>>, trigger: RunTrigger): string | null {
  return typeof node.connector_id === 'string' ? node.connector_id : trigger.connector_id;
}

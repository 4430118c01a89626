import type { Definition } from '@airdeck/engine/definition';
import { StepFailure } from '@airdeck/engine/errors';
import type { ResolvePlaybook } from '@airdeck/engine/interfaces';
import { trustedTenantScope } from '../../tenant-scope.ts';
import type { ActionCatalogue } from '../actions/action-catalogue.ts';
import { compileUserSchemaCheck } from '../actions/schema-check.ts';
import type { RunnablePlaybooks } from '../playbooks/playbooks-port.ts';
import type { EnginePool } from './engine-pool.ts';
import { isAutomated, type RunTrigger, readTrigger } from './run-trigger.ts';
import { traitsFor } from './startable.ts';

type Dependencies = {
  enginePool: Pick<EnginePool, 'transactionOf'>;
  playbooks: Pick<RunnablePlaybooks, 'findForRun'>;
  traitsOf: ActionCatalogue['traits'];
};

/**
 * What an action that starts another playbook starts: the version that is published now, with the rights and for the case of
 * the run it belongs to.
 */
export function createSubPlaybooks(deps: Dependencies): ResolvePlaybook {
  return async (client, { tenantId, node, inputs, parent }) => {
    const tx = deps.enginePool.transactionOf(client);
    const scope = trustedTenantScope(tenantId);
    const playbook = await deps.playbooks.findForRun(tx, scope, node.playbook_id);
    if (playbook === undefined) return null;
    const [problem] = compileUserSchemaCheck(playbook.definition.inputs, 'inputs')(inputs);
    if (problem) throw new StepFailure('PLAYBOOK_INPUT_INVALID', `${problem.path} ${problem.message}`);
    const definition = playbook.definition as Definition;
    const traits = await traitsFor(definition, (name) => deps.traitsOf(name, tx, scope));
    const {
      request_hash: _hash,
      time_scheduled: _time,
      playbook_id: _id,
      playbook_version: _version,
      ...from
    } = readTrigger(parent.trigger);
    const trigger: RunTrigger = {
      ...from,
      trigger_type: 'workflow',
      ...(isAutomated(from) ? { automated: true } : {}),
      ...(playbook.playbookId === null ? {} : { playbook_id: playbook.playbookId, playbook_version: playbook.version }),
    };
    return { definition, traits, name: playbook.name, trigger };
  };
}

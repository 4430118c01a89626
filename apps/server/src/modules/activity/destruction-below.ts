import type { PlaybookDefinition } from '@airdeck/contracts/playbooks/schema';
import type { SqlClient } from '@airdeck/engine/interfaces';
import { findRun, findRunDefinition, findStep } from '@airdeck/engine/reads';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { ActionCatalogue } from '../actions/action-catalogue.ts';
import type { RunnablePlaybooks } from '../playbooks/playbooks-port.ts';

type Actions = PlaybookDefinition['actions'];
type Dependencies = {
  traitsOf: ActionCatalogue['traits'];
  playbooks: Pick<RunnablePlaybooks, 'findForRun'>;
};

/** As deep as the engine lets playbooks start playbooks. */
const DEPTH_MAX = 5;

/**
 * Whether something that destroys comes after an action of a run: in its own definition, in the playbooks those actions
 * start, and in what waits for this run to end. What is not known any more counts as destroying.
 */
export async function destroysBelow(
  deps: Dependencies,
  tx: Tx,
  { sql, scope, runId, actionId }: { sql: SqlClient; scope: TenantScope; runId: string; actionId: string },
): Promise<boolean> {
  const { tenantId } = scope;
  const look: Look = { deps, tx, scope, harmless: new Map() };
  let above: { runId: string; actionId: string } | undefined = { runId, actionId };
  for (let level = 0; above !== undefined; level++) {
    const definition = await findRunDefinition(sql, { tenantId, runId: above.runId });
    if (definition === undefined || level > DEPTH_MAX) return true;
    // Stored as the contract has it; the engine's own type of it is wider.
    const actions = actionsBelow(definition.actions as unknown as Actions, above.actionId);
    if (await destroysAmong(look, actions, 1)) return true;
    above = await startedBy(sql, tenantId, above.runId);
  }
  return false;
}

/** The action of another run that waits for this one. */
async function startedBy(
  sql: SqlClient,
  tenantId: string,
  runId: string,
): Promise<{ runId: string; actionId: string } | undefined> {
  const run = await findRun(sql, { tenantId, runId });
  if (run?.parentRunId == null || run.parentStepId === null) return undefined;
  const step = await findStep(sql, { tenantId, stepId: run.parentStepId });
  return step && { runId: run.parentRunId, actionId: step.actionId };
}

/** Everything that waits for the action, directly or not. */
export function actionsBelow(actions: Actions, actionId: string): Actions {
  const below = new Set([actionId]);
  // Actions may stand in any order: until a round finds nothing more.
  for (let before = 0; before !== below.size; ) {
    before = below.size;
    for (const { id, depends_on = [] } of actions) if (depends_on.some((one) => below.has(one))) below.add(id);
  }
  below.delete(actionId);
  return actions.filter(({ id }) => below.has(id));
}

type Look = {
  deps: Dependencies;
  tx: Tx;
  scope: TenantScope;
  /** Playbooks in which nothing destroys, and how deep down that was seen: there are many more ways to one than playbooks. */
  harmless: Map<string, number>;
};

async function destroysAmong(look: Look, actions: Actions, depth: number): Promise<boolean> {
  const { deps, tx, scope } = look;
  for (const node of actions) {
    if (node.kind === 'action') {
      const traits = await deps.traitsOf(node.action, tx, scope);
      if (traits === undefined || traits.effect === 'destroys') return true;
    } else if (node.kind === 'playbook' && (await destroysIn(look, node.playbook_id, depth + 1))) return true;
  }
  return false;
}

async function destroysIn(look: Look, playbookId: string, depth: number): Promise<boolean> {
  if (depth > DEPTH_MAX) return true;
  // Seen from further up only: from here it may reach too deep.
  if ((look.harmless.get(playbookId) ?? 0) >= depth) return false;
  const playbook = await look.deps.playbooks.findForRun(look.tx, look.scope, playbookId);
  if (playbook === undefined || (await destroysAmong(look, playbook.definition.actions, depth))) return true;
  look.harmless.set(playbookId, depth);
  return false;
}

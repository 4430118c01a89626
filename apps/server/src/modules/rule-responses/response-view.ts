import type { RuleResponse } from '@airdeck/contracts/rule-responses/schema';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { ActionCatalogue } from '../actions/action-catalogue.ts';
import type { ResponseCheck } from './response-check.ts';
import { keyText, lastOutcomes, noFigures, outcomeFigures } from './response-outcomes.ts';
import type { ListedResponse } from './rule-responses-repository.ts';

const FIGURES_OVER_MS = 30 * 24 * 3_600_000;

type ViewDependencies = { actions: Pick<ActionCatalogue, 'find'>; check: ResponseCheck; now: () => Date };

/** Rows as people see them: what they refer to by name, what is wrong with them, how they went lately. */
export async function responsesOnTheWire(
  deps: ViewDependencies,
  tx: Tx,
  scope: TenantScope,
  rows: readonly ListedResponse[],
): Promise<RuleResponse[]> {
  const figures = await outcomeFigures(tx, scope, rows, new Date(deps.now().getTime() - FIGURES_OVER_MS));
  const last = await lastOutcomes(tx, scope, rows);
  const shown: RuleResponse[] = [];
  for (const row of rows) {
    const key = keyText(row);
    shown.push({
      ...stored(row),
      definition_name: await nameOf(deps, tx, scope, row),
      problems: await deps.check.problemsOf(tx, scope, row),
      figures: figures.get(key) ?? noFigures,
      last: last.get(key) ?? null,
    });
  }
  return shown;
}

function stored(row: ListedResponse) {
  const { policy_name: name, policy_enabled: enabled, policy_severity: severity } = row;
  return {
    rule_id: row.rule_id,
    response_name: row.response_name,
    response_type: row.response_type,
    trigger: row.trigger,
    definition_id: row.definition_id,
    connector_id: row.connector_id,
    inputs: row.inputs,
    conditions: row.conditions,
    position: row.position,
    enabled: row.enabled,
    created_by: row.created_by,
    updated_by: row.updated_by,
    updated_at: row.updated_at.toISOString(),
    revision: row.revision,
    rule: name === null || enabled === null || severity === null ? null : { name, enabled, severity },
    rule_name: name ?? row.rule_name,
    connector_name: row.connector_name,
  };
}

async function nameOf(
  { actions }: ViewDependencies,
  tx: Tx,
  scope: TenantScope,
  row: ListedResponse,
): Promise<string | null> {
  if (row.response_type === 'playbook') return row.playbook_name;
  return (await actions.find(row.definition_id, tx, scope))?.friendly_name ?? null;
}

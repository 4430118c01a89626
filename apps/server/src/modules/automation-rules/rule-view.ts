import type { AutomationRule } from '@airdeck/contracts/automation-rules/schema';
import type { ListedRule } from './automation-rules-repository.ts';
import { notificationTitle } from './notification-facts.ts';

/** A row as people see it. */
export function ruleOnTheWire(row: ListedRule, problems: AutomationRule['problems']): AutomationRule {
  return {
    id: row.id,
    tenant: row.tenant_id,
    name: row.name,
    event_category_id: row.definition_id,
    event_definition: { id: row.definition_id, title: row.definition_title },
    connector_id: row.connector_id,
    connector_name: row.connector_name,
    actions: { responses: row.responses },
    enabled: row.enabled,
    notification: {
      state: row.notification_state,
      reason: row.notification_reason,
      title: notificationTitle(row),
      checked_at: row.checked_at?.toISOString() ?? null,
    },
    deleting: row.deleting,
    source_id: row.source_id,
    created_by: row.created_by,
    updated_by: row.updated_by,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    revision: row.revision,
    last_triggered_at: row.last_triggered_at?.toISOString() ?? null,
    triggered_count: row.triggered_count,
    problems,
  };
}

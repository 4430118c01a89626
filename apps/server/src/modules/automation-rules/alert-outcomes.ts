/** What rules did for the alerts they were asked to answer. */
import type { AutomationRuleHistoryEntry } from '@airdeck/contracts/automation-rules/schema';
import type { RunStatus } from '@airdeck/contracts/statuses';
import { storableText } from '@airdeck/domain/storable-json';
import { type Insertable, sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import { actionOfRun } from '../activity/action-of-run.ts';
import type { AnswerHistory, RecentAnswers } from '../rule-responses/automation-brake.ts';
import type { RuleRow } from './automation-rules-repository.ts';
import type { AutomationRulesTables } from './automation-rules-tables.ts';

export type NewAlertOutcome = Omit<Insertable<AutomationRulesTables['automation_rule_alert']>, 'tenant_id'>;

const PROBLEM_MAX = 2000;
const TITLE_MAX = 500;
const ROWS_PER_INSERT = 1000;

/** Rules that answer alerts of these definitions at this source, locked in one order until the transaction ends. */
export async function answeringRules(
  tx: Tx,
  scope: TenantScope,
  at: { sourceId: string; definitionIds: readonly string[] },
): Promise<RuleRow[]> {
  return await tx
    .selectFrom('automation_rule')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('source_id', '=', at.sourceId)
    .where('definition_id', 'in', [...at.definitionIds])
    .where('enabled', '=', true)
    .where('deleting', '=', false)
    .orderBy('id')
    .forUpdate()
    .execute();
}

/** Those of the alerts the rule has answered before. */
export async function answeredAlerts(
  tx: Tx,
  scope: TenantScope,
  ruleId: string,
  alertIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await tx
    .selectFrom('automation_rule_alert')
    .select('alert_id')
    .distinct()
    .where('tenant_id', '=', scope.tenantId)
    .where('rule_id', '=', ruleId)
    .where('alert_id', 'in', [...alertIds])
    .execute();
  return new Set(rows.map(({ alert_id: id }) => id));
}

export async function addAlertOutcomes(
  tx: Tx,
  scope: TenantScope,
  { ruleId, alerts, at }: { ruleId: string; alerts: number; at: Date },
  outcomes: readonly NewAlertOutcome[],
): Promise<void> {
  if (outcomes.length === 0) return;
  const rows = outcomes.map((outcome) => ({
    ...outcome,
    tenant_id: scope.tenantId,
    alert_title: storableText(outcome.alert_title.slice(0, TITLE_MAX)),
    problem: outcome.problem == null ? null : storableText(outcome.problem.slice(0, PROBLEM_MAX)),
  }));
  for (let from = 0; from < rows.length; from += ROWS_PER_INSERT) {
    await tx
      .insertInto('automation_rule_alert')
      .values(rows.slice(from, from + ROWS_PER_INSERT))
      .execute();
  }
  await tx
    .updateTable('automation_rule')
    .set((e) => ({ last_triggered_at: at, triggered_count: e('triggered_count', '+', alerts) }))
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', ruleId)
    .execute();
}

/** What a rule did of late, for the brake. */
export const alertAnswers: AnswerHistory = {
  async recent(tx, scope, ruleId, since) {
    const own = sql`tenant_id = ${scope.tenantId} and rule_id = ${ruleId}`;
    const { rows } = await sql<RecentAnswers>`
      select
        (select count(distinct alert_id)::int from automation_rule_alert
          where ${own} and outcome = 'started' and at > ${since}) as answers,
        (select min(at) from automation_rule_alert where ${own} and outcome = 'stopped' and at >= coalesce(
          (select max(at) from automation_rule_alert where ${own} and outcome = 'started'), '-infinity')) as "stoppedFrom"
      `.execute(tx);
    return rows[0] ?? { answers: 0, stoppedFrom: null };
  },
  async hasStop(tx, scope, ruleId, since) {
    const { rows } = await sql`
      select from automation_rule_alert
      where tenant_id = ${scope.tenantId} and rule_id = ${ruleId} and outcome = 'stopped' and at > ${since}
      limit 1`.execute(tx);
    return rows.length > 0;
  },
};

type EntryRow = Omit<AutomationRuleHistoryEntry, 'at'> & { at: Date };

/** Newest first. */
export async function pageOfAlertOutcomes(
  tx: Tx,
  scope: TenantScope,
  ruleId: string,
  page: { limit: number; offset: number },
): Promise<{ entries: AutomationRuleHistoryEntry[]; total: number }> {
  const own = sql`a.tenant_id = ${scope.tenantId} and a.rule_id = ${ruleId}`;
  const { rows } = await sql<EntryRow & { status: RunStatus | null }>`
    select a.at, a.alert_id, a.alert_title, a.response_name, a.response_type, a.outcome, a.run_id,
      ${actionOfRun({ tenantId: 'a.tenant_id', runId: 'a.run_id' })} as action_uuid, r.status, a.problem
    from automation_rule_alert a
    left join engine.run r on r.tenant_id = a.tenant_id and r.id = a.run_id
    where ${own}
    order by a.at desc, a.alert_id desc, a.response_name
    limit ${page.limit} offset ${page.offset}`.execute(tx);
  const counted = await sql<{ total: number }>`
    select count(*)::int as total from automation_rule_alert a where ${own}`.execute(tx);
  const entries = rows.map(({ at, ...entry }) => ({ ...entry, at: at.toISOString() }));
  return { entries, total: counted.rows[0]?.total ?? 0 };
}

export async function deleteAlertOutcomesBefore(tx: Tx, before: Date): Promise<void> {
  await tx.deleteFrom('automation_rule_alert').where('at', '<', before).execute();
}

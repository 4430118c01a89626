import { type RawBuilder, sql } from 'kysely';

/** Of a run that is one action: the id the activity list knows it by. Null for a playbook, and once the run was forgotten. */
export function actionOfRun(row: { tenantId: string; runId: string }): RawBuilder<string | null> {
  return sql`(select s.id from engine.step s where s.tenant_id = ${sql.ref(row.tenantId)}
    and s.run_id = ${sql.ref(row.runId)} and s.run_kind = 'adhoc' limit 1)`;
}

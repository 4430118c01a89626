import type { FirstSteps } from '@airdeck/contracts/dashboards/schema';
import { sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';

/** One question to the database, as every home page asks it. A source somebody deleted is not connected; its events were seen. */
export async function firstSteps(tx: Tx, scope: TenantScope): Promise<FirstSteps> {
  const tenant = scope.tenantId;
  const { rows } = await sql<FirstSteps>`
    select
      exists (select from event_source where tenant_id = ${tenant} and deleted_at is null) as source_connected,
      exists (select from source_event_hour where tenant_id = ${tenant}) as events_seen,
      exists (select from policy where tenant_id = ${tenant} and enabled) as policies_enabled,
      exists (select from rule_response where tenant_id = ${tenant} and enabled)
        or exists (select from automation_rule where tenant_id = ${tenant} and enabled) as automation_enabled
  `.execute(tx);
  const [row] = rows;
  if (row === undefined) throw new Error('The first steps came back empty.');
  return row;
}

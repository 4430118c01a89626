import type { StoredEvent } from '@airdeck/contracts/events/event';
import { sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { OpenedCase } from '../rule-responses/rule-responses-port.ts';
import { referenceOf } from './case-view.ts';

type Row = {
  id: string;
  number: number;
  policy_id: string | null;
  name: string;
  severity: string;
  meta: Record<string, string>;
  event: StoredEvent;
};

/** A case as it was handed to automation when it opened; undefined when there is none, or none with an event. */
export async function openedCase(tx: Tx, scope: TenantScope, id: string): Promise<OpenedCase | undefined> {
  const { rows } = await sql<Row>`
    select c.id, c.number, c.policy_id, c.name, c.severity, c.meta, e.event
    from case_record c
    cross join lateral (
      select event from case_event e where e.tenant_id = c.tenant_id and e.case_id = c.id
      order by e.event_time, e.event_id limit 1) e
    where c.tenant_id = ${scope.tenantId} and c.id = ${id}`.execute(tx);
  const [row] = rows;
  return (
    row && {
      tenant: scope.tenantId,
      caseId: row.id,
      reference: referenceOf(row.number),
      policyId: row.policy_id ?? '',
      policyName: row.name,
      severity: row.severity,
      groupValues: row.meta,
      event: row.event,
    }
  );
}

import { type EventCase, eventCasesMax } from '@airdeck/contracts/cases/event-cases';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import { referenceOf } from './case-view.ts';

/** Cases an event is kept with, newest first; none for an event nobody knows. */
export async function casesOfEvent(tx: Tx, scope: TenantScope, eventId: string): Promise<EventCase[]> {
  const rows = await tx
    .selectFrom('case_event as e')
    .innerJoin('case_record as c', 'c.id', 'e.case_id')
    .select(['c.id', 'c.number', 'c.name', 'c.severity', 'c.status'])
    .where('e.tenant_id', '=', scope.tenantId)
    .where('c.tenant_id', '=', scope.tenantId)
    .where('e.event_id', '=', eventId)
    .orderBy('c.time_opened', 'desc')
    .orderBy('c.id', 'desc')
    .limit(eventCasesMax)
    .execute();
  return rows.map(({ id, number, name, severity, status }) => ({
    id,
    reference: referenceOf(number),
    alert_name: name,
    alert_severity: severity,
    alert_status: status,
  }));
}

import type { CaseActivityKind } from '@airdeck/contracts/cases/schema';
import type { StoredEvent } from '@airdeck/contracts/events/event';
import type { JsonObject } from '@airdeck/contracts/fields';
import { storableJson, storableText } from '@airdeck/domain/storable-json';
import { type Insertable, type Selectable, sql, type UpdateObject } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { CasesTables } from './cases-tables.ts';

export type CaseRow = Selectable<CasesTables['case_record']>;
export type ResponseRow = Selectable<CasesTables['case_response']>;
export type ActivityRow = Selectable<CasesTables['case_activity']>;
export type EventRow = Selectable<CasesTables['case_event']>;

type ActivityEntry = {
  id: string;
  caseId: string;
  at: Date;
  username: string;
  kind: CaseActivityKind;
  text: string;
  data: JsonObject;
};

/** What `q` looks in; written with every change of one of these. */
export function searchTextOf(row: {
  number: number;
  name: string;
  description: string;
  meta: JsonObject;
  log_sources: readonly string[];
  tags: readonly string[];
  assignee: string | null;
}): string {
  const parts = [`case-${row.number}`, row.name, ...Object.values(row.meta), ...row.log_sources, ...row.tags];
  return storableText([...parts, row.assignee ?? '', row.description].join('\n').toLowerCase());
}

/** No two cases share a number, and a rolled back one gives its number back: the row stays locked until commit. */
export async function nextCaseNumber(tx: Tx, scope: TenantScope): Promise<number> {
  const { last_number: number } = await tx
    .insertInto('case_counter')
    .values({ tenant_id: scope.tenantId, last_number: 1 })
    .onConflict((on) =>
      on.column('tenant_id').doUpdateSet((e) => ({ last_number: e('case_counter.last_number', '+', 1) })),
    )
    .returning('last_number')
    .executeTakeFirstOrThrow();
  return number;
}

/** False when the policy's group has an open case already. */
export async function insertCase(tx: Tx, row: Insertable<CasesTables['case_record']>): Promise<boolean> {
  const inserted = await tx
    .insertInto('case_record')
    .values(row)
    .onConflict((on) =>
      on
        .columns(['tenant_id', 'policy_id', 'group_key'])
        .where('status', '<>', 'closed')
        .where('policy_id', 'is not', null)
        .doNothing(),
    )
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

export async function lockCase(tx: Tx, scope: TenantScope, id: string): Promise<CaseRow | undefined> {
  return await tx
    .selectFrom('case_record')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

export async function findCase(tx: Tx, scope: TenantScope, id: string): Promise<CaseRow | undefined> {
  return await tx
    .selectFrom('case_record')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Undefined when there is no such case. */
export async function changeCase(
  tx: Tx,
  scope: TenantScope,
  change: { id: string; set: UpdateObject<CasesTables, 'case_record'> },
): Promise<CaseRow | undefined> {
  return await tx
    .updateTable('case_record')
    .set(change.set)
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', change.id)
    .returningAll()
    .executeTakeFirst();
}

export async function otherOpenCase(tx: Tx, scope: TenantScope, row: CaseRow): Promise<CaseRow | undefined> {
  if (row.policy_id === null || row.group_key === null) return undefined;
  return await tx
    .selectFrom('case_record')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('policy_id', '=', row.policy_id)
    .where('group_key', '=', row.group_key)
    .where('status', '<>', 'closed')
    .where('id', '<>', row.id)
    .executeTakeFirst();
}

export async function insertActivity(tx: Tx, scope: TenantScope, entries: readonly ActivityEntry[]): Promise<void> {
  if (entries.length === 0) return;
  await tx
    .insertInto('case_activity')
    .values(
      entries.map(({ caseId, text, data, ...entry }) => ({
        ...entry,
        tenant_id: scope.tenantId,
        case_id: caseId,
        text: storableText(text),
        data: storableJson(data),
      })),
    )
    .execute();
}

export async function latestActivity(tx: Tx, scope: TenantScope, caseId: string): Promise<ActivityRow | undefined> {
  return await tx
    .selectFrom('case_activity')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('case_id', '=', caseId)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

export async function rewriteActivity(
  tx: Tx,
  scope: TenantScope,
  entry: { id: string; at: Date; text: string; data: JsonObject },
): Promise<void> {
  await tx
    .updateTable('case_activity')
    .set({ at: entry.at, text: entry.text, data: storableJson(entry.data) })
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', entry.id)
    .execute();
}

/** The events that were not in the case yet. */
export async function insertEvents(
  tx: Tx,
  scope: TenantScope,
  addition: { caseId: string; events: readonly StoredEvent[] },
): Promise<{ event_time: Date; integration: string }[]> {
  const json = storableJson(
    addition.events.map((event) => ({ id: event.id, time: new Date(event.time).toISOString(), event })),
  );
  const { rows } = await sql<{ event_time: Date; integration: string }>`
    insert into case_event (tenant_id, case_id, event_id, event_time, event)
    select ${scope.tenantId}::uuid, ${addition.caseId}::uuid, e.id, e.time, e.event
    from json_to_recordset(${json}::json) as e (id uuid, time timestamptz, event jsonb)
    on conflict do nothing
    returning event_time, event ->> 'integration' as integration`.execute(tx);
  return rows;
}

export async function upsertResponse(
  tx: Tx,
  scope: TenantScope,
  response: Omit<ResponseRow, 'tenant_id' | 'started_at'> & { started_at: Date },
): Promise<void> {
  await tx
    .insertInto('case_response')
    .values({ ...response, response_name: storableText(response.response_name), tenant_id: scope.tenantId })
    .onConflict((on) =>
      on
        .columns(['case_id', 'run_id'])
        .doUpdateSet({ status: response.status })
        // Reports of a run can overtake each other; its end is final.
        .where('case_response.status', 'not in', ['success', 'error', 'cancelled']),
    )
    .execute();
}

import type { ToldPart } from '@airdeck/contracts/filled-text';
import { refusal } from '@airdeck/contracts/refusal-texts';
import { sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';

/** Names of the automation rules that a connector brings alerts to, or that act through it. */
export async function rulesThrough(tx: Tx, scope: TenantScope, connectorId: string): Promise<ToldPart[]> {
  const { rows } = await sql<{ name: string }>`
    select name from automation_rule
    where tenant_id = ${scope.tenantId} and (connector_id = ${connectorId}
      or responses @> ${JSON.stringify([{ connector_id: connectorId }])}::jsonb)
    order by lower(name) limit 20`.execute(tx);
  return rows.map(({ name }) => refusal('USED_BY_AUTOMATION', { name }));
}

/** Names of the automation rules that act through the default connector of an integration, because they name none. */
export async function rulesThroughDefault(tx: Tx, scope: TenantScope, definitionId: string): Promise<ToldPart[]> {
  const { rows } = await sql<{ name: string }>`
    select name from automation_rule r
    where tenant_id = ${scope.tenantId} and exists (select from jsonb_array_elements(r.responses) s
      where starts_with(s ->> 'action_name', ${`${definitionId}.`}) and s ->> 'connector_id' is null)
    order by lower(name) limit 20`.execute(tx);
  return rows.map(({ name }) => refusal('USED_BY_AUTOMATION', { name }));
}

/** Names of the automation rules that run one of these actions. */
export async function rulesRunning(tx: Tx, scope: TenantScope, actionIds: readonly string[]): Promise<ToldPart[]> {
  const { rows } = await sql<{ name: string }>`
    select name from automation_rule r
    where tenant_id = ${scope.tenantId} and exists (select from jsonb_array_elements(r.responses) s
      where s ->> 'action_name' = any(${[...actionIds]}::text[]))
    order by lower(name) limit 20`.execute(tx);
  return rows.map(({ name }) => refusal('USED_BY_AUTOMATION', { name }));
}

/** Names of the automation rules that run an action of an integration. */
export async function rulesActingOn(tx: Tx, scope: TenantScope, definitionId: string): Promise<ToldPart[]> {
  const { rows } = await sql<{ name: string }>`
    select name from automation_rule r
    where tenant_id = ${scope.tenantId} and exists (select from jsonb_array_elements(r.responses) s
      where starts_with(s ->> 'action_name', ${`${definitionId}.`}))
    order by lower(name) limit 20`.execute(tx);
  return rows.map(({ name }) => refusal('USED_BY_AUTOMATION', { name }));
}

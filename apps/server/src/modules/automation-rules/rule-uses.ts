import type { ToldPart } from '@airdeck/contracts/filled-text';
import { refusal } from '@airdeck/contracts/refusal-texts';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { Used } from '../integrations/uses-port.ts';
import type { SourceUses } from '../sources/sources-module.ts';

const NAMED_AT_MOST = 20;

/** Names of the automation rules that act through it, or that a connector brings alerts to. */
export async function ruleUses(tx: Tx, scope: TenantScope, used: Used): Promise<ToldPart[]> {
  const { rows } = await sql<{ name: string }>`
    select name from automation_rule
    where tenant_id = ${scope.tenantId} and ${conditionOf(used)}
    order by lower(name) limit ${NAMED_AT_MOST}`.execute(tx);
  return rows.map(({ name }) => refusal('USED_BY_AUTOMATION', { name }));
}

/** Those that are switched on and whose alerts come in through the source: all of them, and the names of some. */
export async function rulesFedBy(tx: Tx, scope: TenantScope, sourceId: string): Promise<SourceUses> {
  const rows = await tx
    .selectFrom('automation_rule')
    .select(['id', 'name'])
    .where('tenant_id', '=', scope.tenantId)
    .where('source_id', '=', sourceId)
    .where('enabled', '=', true)
    .where('deleting', '=', false)
    .orderBy(({ fn }) => fn('lower', ['name']))
    .orderBy('id')
    .execute();
  const named = rows.slice(0, NAMED_AT_MOST).map(({ name }) => refusal('USED_BY_AUTOMATION', { name }));
  const more = rows.length - named.length;
  return {
    ids: rows.map(({ id }) => id).sort(),
    told: more > 0 ? [...named, refusal('USED_BY_MORE', { count: more })] : named,
  };
}

function conditionOf(used: Used): RawBuilder<unknown> {
  if ('connectorId' in used) {
    const { connectorId } = used;
    return sql`(connector_id = ${connectorId} or responses @> ${JSON.stringify([{ connector_id: connectorId }])}::jsonb)`;
  }
  return sql`exists (select from jsonb_array_elements(responses) s where ${responseCondition(used)})`;
}

function responseCondition(used: Exclude<Used, { connectorId: string }>): RawBuilder<unknown> {
  if ('actionIds' in used) return sql`s ->> 'action_name' = any(${[...used.actionIds]}::text[])`;
  if ('integration' in used) return sql`starts_with(s ->> 'action_name', ${`${used.integration}.`})`;
  return sql`starts_with(s ->> 'action_name', ${`${used.defaultOf}.`}) and s ->> 'connector_id' is null`;
}

import { caseSeverities } from '@airdeck/contracts/statuses';
import { storableJson, storableText } from '@airdeck/domain/storable-json';
import { sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import { type TenantScope, trustedTenantScope } from '../../tenant-scope.ts';
import type { Changes } from '../stream/changes.ts';
import type { CaseGroup, CaseOpening, CaseOpenings, OpenCase } from './case-openings.ts';
import { referenceOf } from './case-view.ts';
import {
  changeCase,
  insertActivity,
  insertCase,
  insertEvents,
  latestActivity,
  nextCaseNumber,
  rewriteActivity,
  searchTextOf,
} from './cases-repository.ts';

type Dependencies = { now: () => Date; ids: () => string; changes: Pick<Changes, 'announce'> };

export function createCaseOpenings(deps: Dependencies): CaseOpenings {
  return {
    findOpen: lockOpenCases,
    open: (tx, opening) => openCase(deps, tx, opening),
    async addEvents(tx, { tenant, caseId }, { events, initial }) {
      if (events.length === 0) return 0;
      const scope = trustedTenantScope(tenant);
      const added = await insertEvents(tx, scope, { caseId, events });
      if (added.length === 0) return 0;
      const row = await countEvents(tx, scope, { caseId, added, at: deps.now() });
      if (row === undefined) return 0;
      if (!initial) await tellAddition(deps, tx, scope, { caseId, count: added.length });
      await deps.changes.announce(tx, { tenant, kind: 'case', id: caseId, status: row.status });
      return added.length;
    },
  };
}

/** Locked in the order of their ids, as everybody who locks several does. */
async function lockOpenCases(tx: Tx, groups: readonly CaseGroup[]): Promise<OpenCase[]> {
  if (groups.length === 0) return [];
  const json = storableJson(groups);
  const { rows } = await sql<Omit<OpenCase, 'reference'> & { number: number }>`
    select c.tenant_id as tenant, c.policy_id as "policyId", c.group_key as "groupKey", c.id as "caseId", c.number
    from case_record c
    join json_to_recordset(${json}::json) as g ("tenant" uuid, "policyId" uuid, "groupKey" text)
      on c.tenant_id = g."tenant" and c.policy_id = g."policyId" and c.group_key = g."groupKey"
    where c.status <> 'closed'
    order by c.id
    for no key update of c`.execute(tx);
  return rows.map(({ number, ...row }) => ({ ...row, reference: referenceOf(number) }));
}

async function openCase(deps: Dependencies, tx: Tx, opening: CaseOpening): Promise<OpenCase | undefined> {
  const scope = trustedTenantScope(opening.tenant);
  const id = deps.ids();
  const at = deps.now();
  const texts = {
    number: await nextCaseNumber(tx, scope),
    name: storableText(opening.policyName),
    description: storableText(opening.description),
    meta: opening.groupValues,
    log_sources: [],
    tags: [],
    assignee: null,
  };
  const opened = await insertCase(tx, {
    id,
    tenant_id: opening.tenant,
    alert_type: 'policy',
    policy_id: opening.policyId,
    group_key: opening.groupKey,
    category: storableText(opening.category),
    severity: opening.severity,
    severity_rank: caseSeverities.indexOf(opening.severity),
    status: 'open',
    ...texts,
    meta: storableJson(texts.meta),
    search_text: searchTextOf(texts),
    opened_at: opening.openedAt,
    time_opened: at,
    time_updated: at,
  });
  if (!opened) return undefined;
  const data = { policy_id: opening.policyId, group: opening.groupValues };
  await insertActivity(tx, scope, [
    { id: deps.ids(), caseId: id, at, username: 'system', kind: 'opened', text: opening.text, data },
  ]);
  await deps.changes.announce(tx, { tenant: opening.tenant, kind: 'case', id, status: 'open' });
  const { tenant, policyId, groupKey } = opening;
  return { tenant, policyId, groupKey, caseId: id, reference: referenceOf(texts.number) };
}

async function countEvents(
  tx: Tx,
  scope: TenantScope,
  { caseId, added, at }: { caseId: string; added: readonly { integration: string }[]; at: Date },
) {
  const sources = [...new Set(added.map((event) => event.integration))];
  return await changeCase(tx, scope, {
    id: caseId,
    set: {
      event_count: sql<number>`event_count + ${added.length}`,
      log_sources: sql<string[]>`array(select distinct unnest(log_sources || ${sources}::text[]) order by 1)`,
      search_text: sql<string>`case when log_sources @> ${sources}::text[] then search_text
        else search_text || ${`\n${sources.join('\n').toLowerCase()}`} end`,
      time_updated: at,
    },
  });
}

/** One entry for all events that follow each other: a burst of thousands must not bury what people did. */
async function tellAddition(
  deps: Dependencies,
  tx: Tx,
  scope: TenantScope,
  { caseId, count }: { caseId: string; count: number },
): Promise<void> {
  const at = deps.now();
  const latest = await latestActivity(tx, scope, caseId);
  const before = latest?.kind === 'events_added' ? Number(latest.data.count) : 0;
  const entry = { at, text: additionText(before + count), data: { count: before + count } };
  if (latest?.kind === 'events_added') {
    await rewriteActivity(tx, scope, { id: latest.id, ...entry });
    return;
  }
  await insertActivity(tx, scope, [{ id: deps.ids(), caseId, username: 'system', kind: 'events_added', ...entry }]);
}

function additionText(count: number): string {
  return count === 1 ? '1 more matching event' : `${count} more matching events`;
}

import type { StoredEvent } from '@airdeck/contracts/events/event';
import { caseSeverities } from '@airdeck/contracts/statuses';
import { storableJson, storableText } from '@airdeck/domain/storable-json';
import { sql } from 'kysely';
import { charactersOf, type PieceBounds, piecesOf } from '../../event-weight.ts';
import type { Tx } from '../../storage/schema.ts';
import { trustedTenantScope } from '../../tenant-scope.ts';
import type { Notices } from '../notifications/notifications-port.ts';
import type { Changes } from '../stream/changes.ts';
import { startClock } from './case-clock.ts';
import type { CaseAddition, CaseGroup, CaseOpening, CaseOpenings, OpenCase } from './case-openings.ts';
import { searchTextOf } from './case-search-text.ts';
import { targetsOf } from './case-targets.ts';
import { referenceOf } from './case-view.ts';
import {
  type CaseRef,
  insertActivities,
  insertActivity,
  insertCase,
  insertEvents,
  lastEntriesOfKind,
  nextCaseNumber,
  rewriteEntries,
} from './cases-repository.ts';

/** One insert becomes one text of JSON, which stops everything else while it is made. */
const eventsAtOnce: PieceBounds<CaseRef & { event: StoredEvent }> = {
  items: 2_000,
  characters: 8_000_000,
  weigh: ({ event }) => charactersOf(event),
};

type Dependencies = {
  now: () => Date;
  ids: () => string;
  changes: Pick<Changes, 'announce'>;
  notices: Notices;
};

export function createCaseOpenings(deps: Dependencies): CaseOpenings {
  return {
    findOpen: lockOpenCases,
    open: (tx, opening) => openCase(deps, tx, opening),
    addEvents: (tx, additions, { initial }) => addEvents(deps, tx, additions, initial),
  };
}

/** Locked in the order of their ids, as everybody who locks several does. */
async function lockOpenCases(tx: Tx, groups: readonly CaseGroup[]): Promise<OpenCase[]> {
  if (groups.length === 0) return [];
  // They are whole rules of policies, with the values of their groups.
  const json = storableJson(groups.map(({ tenant, policyId, groupKey }) => ({ tenant, policyId, groupKey })));
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
    policy_origin: opening.policyOrigin === undefined ? null : storableJson(opening.policyOrigin),
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
    ...startClock(await targetsOf(tx, scope), { severity: opening.severity, openedAt: at }),
  });
  if (!opened) return undefined;
  const data = { policy_id: opening.policyId, group: opening.groupValues };
  await insertActivity(tx, scope, [
    { id: deps.ids(), caseId: id, at, username: 'system', kind: 'opened', text: opening.text, data },
  ]);
  await deps.changes.announce(tx, { tenant: opening.tenant, kind: 'case', id, status: 'open' });
  const { tenant, policyId, groupKey, severity } = opening;
  const reference = referenceOf(texts.number);
  await deps.notices.tell(tx, { kind: 'case_opened', tenant, caseId: id, reference, name: texts.name, severity });
  return { tenant, policyId, groupKey, caseId: id, reference };
}

async function addEvents(
  deps: Dependencies,
  tx: Tx,
  additions: readonly CaseAddition[],
  initial: boolean,
): Promise<void> {
  const events = additions.flatMap(({ tenant, caseId, events: own }) =>
    own.map((event) => ({ tenant, caseId, event })),
  );
  const grown = new Map<string, CaseRef & { status: string; added: number }>();
  for (const piece of piecesOf(events, eventsAtOnce)) {
    for (const one of await insertEvents(tx, piece, deps.now())) {
      grown.set(one.caseId, { ...one, added: one.added + (grown.get(one.caseId)?.added ?? 0) });
    }
  }
  if (grown.size === 0) return;
  if (!initial) await tellAdditions(deps, tx, [...grown.values()]);
  for (const { tenant, caseId, status } of grown.values()) {
    await deps.changes.announce(tx, { tenant, kind: 'case', id: caseId, status });
  }
}

/** One entry for all events that follow each other: a burst of thousands must not bury what people did. */
async function tellAdditions(
  deps: Dependencies,
  tx: Tx,
  grown: readonly (CaseRef & { added: number })[],
): Promise<void> {
  const at = deps.now();
  const last = await lastEntriesOfKind(tx, grown, 'events_added');
  const lastOf = new Map(last.map((entry) => [entry.caseId, entry]));
  const rewritten: Parameters<typeof rewriteEntries>[1][number][] = [];
  const added: Parameters<typeof insertActivities>[1][number][] = [];
  for (const { tenant, caseId, added: more } of grown) {
    const before = lastOf.get(caseId);
    const count = more + Number(before?.data.count ?? 0);
    const entry = { tenant, at, text: additionText(count), data: { count } };
    if (before !== undefined) rewritten.push({ ...entry, id: before.id });
    else added.push({ ...entry, id: deps.ids(), caseId, username: 'system', kind: 'events_added' });
  }
  await rewriteEntries(tx, rewritten);
  await insertActivities(tx, added);
}

function additionText(count: number): string {
  return count === 1 ? '1 more matching event' : `${count} more matching events`;
}

import type { caseCreateSchema } from '@airdeck/contracts/cases/schema';
import { caseSeverities } from '@airdeck/contracts/statuses';
import type { z } from 'zod';
import { AppError } from '../../http/app-error.ts';
import { type KeyedCreation, lockRequest } from '../../http/keyed-creation.ts';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import { isDoneBy } from '../audit/audit-actor.ts';
import { requireAssignable } from './case-assignee.ts';
import type { CaseChangeDependencies } from './case-changes.ts';
import { startClock } from './case-clock.ts';
import { searchTextOf } from './case-search-text.ts';
import { targetsOf } from './case-targets.ts';
import { referenceOf } from './case-view.ts';
import { findCase, insertActivity, insertCase, nextCaseNumber } from './cases-repository.ts';
import type { UpdatedBy } from './cases-service.ts';

type Opening = { input: z.output<typeof caseCreateSchema>; by: UpdatedBy; request: KeyedCreation };

/** A case no policy opened, or the one the same request opened before; returns its id. Throws IDEMPOTENCY_KEY_REUSED. */
export async function openByHand(
  deps: Omit<CaseChangeDependencies, 'groups' | 'membersAmong'>,
  tx: Tx,
  scope: TenantScope,
  { input, by, request: { id, hash } }: Opening,
): Promise<string> {
  if (hash !== null) {
    await lockRequest(tx, id);
    const known = await findCase(tx, scope, id);
    if (known !== undefined && known.request_hash !== hash) throw new AppError('IDEMPOTENCY_KEY_REUSED');
    if (known !== undefined) return id;
  }
  const { assignee } = input;
  if (assignee !== null) await requireAssignable(deps, tx, scope, { assignee, path: 'body.assignee' });
  const at = deps.now();
  const tenant = scope.tenantId;
  const severity = input.alert_severity;
  const texts = {
    number: await nextCaseNumber(tx, scope),
    name: input.alert_name,
    description: input.alert_description,
    meta: input.meta_data_fields,
    log_sources: [],
    tags: [...new Set(input.tags)],
    assignee,
  };
  await insertCase(tx, {
    id,
    tenant_id: tenant,
    alert_type: 'manual',
    policy_id: null,
    group_key: null,
    category: '',
    severity,
    severity_rank: caseSeverities.indexOf(severity),
    status: 'open',
    ...texts,
    meta: JSON.stringify(texts.meta),
    search_text: searchTextOf(texts),
    opened_at: at,
    time_opened: at,
    time_updated: at,
    request_hash: hash,
    ...startClock(await targetsOf(tx, scope), { severity, openedAt: at }),
  });
  const entry = { username: by.actor.name, kind: 'opened' as const, text: 'Opened by hand', data: {} };
  await insertActivity(tx, scope, [{ id: deps.ids(), caseId: id, at, ...entry }]);
  await deps.changes.announce(tx, { tenant, kind: 'case', id, status: 'open' });
  const facts = { tenant, caseId: id, reference: referenceOf(texts.number), name: texts.name };
  await deps.notices.tell(tx, { kind: 'case_opened', ...facts, severity });
  if (assignee !== null && !isDoneBy(by.actor, assignee)) {
    await deps.notices.tell(tx, { kind: 'case_assigned', ...facts, assignee, by: by.actor.name });
  }
  await deps.audit.record(tx, {
    tenant,
    actor: by.actor,
    action: 'case.create',
    target: { kind: 'case', id },
    outcome: 'ok',
    data: { reference: facts.reference, severity },
    request_id: by.requestId,
  });
  return id;
}

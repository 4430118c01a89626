/**
 * Looks again for the records of proved domains: who runs a domain changes, and with it whom its addresses belong to.
 *
 * Each is looked for about once a day. Found, nothing happens. Gone for the first time, it is `missing`: it counts as
 * before, and the Admins are told until when. Found again, all is well. Gone still after `COUNTS_WITHOUT_MS`, it is unproved:
 * it sends nobody anywhere, lets nobody join, and may be proved by somebody else. Name servers that do not answer say
 * nothing either way, so whoever can silence them takes no domain from anybody.
 *
 * An Admin who has it looked for by hand puts off the next look of the review, so theirs has the same consequences:
 * otherwise a domain could be kept for ever by asking often.
 *
 * DNS is asked outside of transactions. A crash leaves the rest to the next run: what is due stands in the table.
 */
import type { Database } from '../../storage/database.ts';
import type { Tx } from '../../storage/schema.ts';
import { trustedTenantScope } from '../../tenant-scope.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { Notices } from '../notifications/notifications-port.ts';
import type { ChangedBy } from '../tenants/tenants-port.ts';
import { findProof, type ProofFound, proofRecord, type ResolveTxt } from './domain-records.ts';
import { type DomainRow, findDomain, listDomainsToReview, lockDomain, updateDomain } from './domains-repository.ts';

const DAY_MS = 24 * 3_600_000;
const LOOK_EVERY_MS = DAY_MS;
/** How long a proof counts after its record was first missed. */
const COUNTS_WITHOUT_MS = 7 * DAY_MS;
const AT_ONCE = 8;

const reviewer: ChangedBy = { actor: { kind: 'system', id: null, name: 'Domain review' }, requestId: null };

type Dependencies = {
  db: Pick<Database, 'system'>;
  audit: Pick<AuditLog, 'record'>;
  notices: Pick<Notices, 'tell'>;
  resolveTxt: ResolveTxt;
  now: () => Date;
};

export function countsUntil(missingSince: Date): Date {
  return new Date(missingSince.getTime() + COUNTS_WITHOUT_MS);
}

/** Looks for everything that is due, and ends early when `signal` says so. */
export async function reviewDomains(deps: Dependencies, signal: AbortSignal): Promise<void> {
  for (;;) {
    const since = new Date(deps.now().getTime() - LOOK_EVERY_MS);
    const due = await deps.db.system((tx) => listDomainsToReview(tx, since, AT_ONCE));
    if (due.length === 0 || signal.aborted) return;
    await Promise.all(due.map((row) => review(deps, row)));
  }
}

async function review(deps: Dependencies, known: DomainRow): Promise<void> {
  const found = await findProof(deps.resolveTxt, proofRecord(known));
  await deps.db.system((tx) => note(deps, tx, known, found));
}

async function note(deps: Dependencies, tx: Tx, known: DomainRow, found: ProofFound): Promise<void> {
  const { domain } = known;
  const scope = trustedTenantScope(known.tenant_id);
  await lockDomain(tx, domain);
  const current = await findDomain(tx, scope, domain);
  // Let go of, named again or found by hand meanwhile: what was looked for is not what counts now.
  if (current?.token !== known.token || current.proved_at === null) return;
  if (current.checked_at?.getTime() !== known.checked_at?.getTime()) return;
  await noteLook(deps, tx, current, { found, by: reviewer });
}

/** What a look for the record of a proved domain changes, and tells of it. The caller holds the lock of the domain. */
export async function noteLook(
  deps: Pick<Dependencies, 'audit' | 'notices' | 'now'>,
  tx: Tx,
  current: DomainRow,
  { found, by }: { found: ProofFound; by: ChangedBy },
): Promise<DomainRow> {
  const { domain } = current;
  const scope = trustedTenantScope(current.tenant_id);
  const at = deps.now();
  const after = { ...current, ...stateAfter(current, found, at), checked_at: at };
  await updateDomain(tx, scope, after);
  const event = eventOf(current, after);
  if (event === undefined) return after;
  await deps.audit.record(tx, {
    tenant: scope.tenantId,
    actor: by.actor,
    action: `sso_domain.${event}`,
    target: { kind: 'sso_domain', id: domain },
    outcome: 'ok',
    data: { domain, missing_since: (current.missing_since ?? after.missing_since)?.toISOString() ?? null },
    request_id: by.requestId,
  });
  if (event === 'return') return after;
  const until = event === 'miss' ? countsUntil(at) : null;
  await deps.notices.tell(tx, { kind: 'domain_unproved', tenant: scope.tenantId, domain, until });
  return after;
}

type State = Pick<DomainRow, 'proved_at' | 'missing_since'>;

function stateAfter({ proved_at, missing_since }: State, found: ProofFound, at: Date): State {
  if (found === 'found') return { proved_at, missing_since: null };
  if (found === 'unreachable') return { proved_at, missing_since };
  if (missing_since !== null && countsUntil(missing_since) <= at) return { proved_at: null, missing_since: null };
  return { proved_at, missing_since: missing_since ?? at };
}

/** What changed, as the audit calls it; undefined when nothing did. */
function eventOf(before: State, after: State): 'miss' | 'return' | 'lapse' | undefined {
  if (after.proved_at === null) return 'lapse';
  if ((before.missing_since === null) === (after.missing_since === null)) return undefined;
  return after.missing_since === null ? 'return' : 'miss';
}

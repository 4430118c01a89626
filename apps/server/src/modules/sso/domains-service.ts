/**
 * Whose an e-mail domain is. A domain that a connection names is `wanted`: it has a token and counts for nothing. It is
 * `proved` once a DNS record of the domain says the token, and belongs to that tenant until none of its connections names
 * it any more or its record is gone for long (domain-review.ts). Tokens are of one tenant and domain, so a record set for one tenant proves nothing for another.
 *
 * DNS is asked outside of transactions; what it said counts only for the token that was asked about.
 */
import type { SsoDomain, SsoDomainCheck } from '@airdeck/contracts/settings/schema';
import { AppError } from '../../http/app-error.ts';
import type { Database } from '../../storage/database.ts';
import type { Tx } from '../../storage/schema.ts';
import { type TenantScope, trustedTenantScope } from '../../tenant-scope.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import { createWorkLimit } from '../identity/work-limit.ts';
import type { Notices } from '../notifications/notifications-port.ts';
import type { ChangedBy } from '../tenants/tenants-port.ts';
import { findProof, type ProofFound, proofRecord, type ResolveTxt } from './domain-records.ts';
import { countsUntil, noteLook } from './domain-review.ts';
import {
  type DomainRow,
  findDomain,
  insertDomains,
  isProvedElsewhere,
  listDomains,
  lockDomain,
  releaseDomains,
  updateDomain,
} from './domains-repository.ts';

const TOKEN_BYTES = 32;
const PARALLEL_LOOKUPS = 8;
const WAITING_LOOKUPS = 32;

type Dependencies = {
  db: Pick<Database, 'tenant' | 'system'>;
  audit: Pick<AuditLog, 'record'>;
  notices: Pick<Notices, 'tell'>;
  resolveTxt: ResolveTxt;
  /** Whether the tenant may ask the name servers now. */
  mayCheck: (tenantId: string) => boolean;
  randomBytes: (size: number) => Buffer;
  now: () => Date;
};

type Outcome = ProofFound | 'taken';

const words: Readonly<Record<ProofFound, string>> = {
  found: 'The domain is yours.',
  missing: 'The record was not found. After a change it can take a while until everybody sees it.',
  unreachable: 'The name servers of the domain did not answer. Try again later.',
};
const taken = 'Another tenant has proved this domain already.';

export type DomainsService = ReturnType<typeof createDomainsService>;

export function createDomainsService(deps: Dependencies) {
  const { db, now, randomBytes } = deps;
  const limit = createWorkLimit({ parallel: PARALLEL_LOOKUPS, waiting: WAITING_LOOKUPS });

  return {
    /** After a connection changed, in its system transaction: tokens for new domains, and those nobody names let go. */
    async follow(tx: Tx, scope: TenantScope, named: readonly string[]): Promise<void> {
      await releaseDomains(tx, scope);
      const fresh = { proved_at: null, checked_at: null, missing_since: null, created_at: now() };
      const rows = [...new Set(named)].map((domain): DomainRow => {
        const token = randomBytes(TOKEN_BYTES).toString('base64url');
        return { tenant_id: scope.tenantId, domain, token, ...fresh };
      });
      await insertDomains(tx, rows);
    },

    async list(tx: Tx, scope: TenantScope): Promise<SsoDomain[]> {
      return (await listDomains(tx, scope)).map(onTheWire);
    },

    /** Throws NOT_FOUND, RATE_LIMITED, OVERLOADED, and CONFLICT for a domain another tenant has proved. */
    async check(scope: TenantScope, domain: string, by: ChangedBy): Promise<SsoDomainCheck> {
      const known = await db.tenant(scope.tenantId, (tx) => getDomain(tx, scope, domain));
      if (isInOrder(known)) return { ok: true, message: words.found, domain: onTheWire(known) };
      if (!deps.mayCheck(scope.tenantId)) throw new AppError('RATE_LIMITED', { retryAfterS: 60 });
      const found = await limit(() => findProof(deps.resolveTxt, proofRecord(known)));
      const { outcome, row } = await db.system((tx) => note(deps, tx, scope, { known, found, by }));
      if (outcome === 'taken') throw new AppError('CONFLICT', { message: taken });
      return { ok: outcome === 'found', message: words[outcome], domain: onTheWire(row) };
    },
  };
}

type Checked = { known: DomainRow; found: ProofFound; by: ChangedBy };

async function note(
  deps: Dependencies,
  tx: Tx,
  scope: TenantScope,
  { known, found, by }: Checked,
): Promise<{ outcome: Outcome; row: DomainRow }> {
  const { domain } = known;
  await lockDomain(tx, domain);
  const current = await getDomain(tx, scope, domain);
  // Taken away and named again meanwhile: the record that was looked for is not the one that counts now.
  if (current.token !== known.token) throw new AppError('NOT_FOUND');
  const outcome: Outcome = found === 'found' && (await isProvedElsewhere(tx, scope, domain)) ? 'taken' : found;
  const row = await rowAfter(deps, tx, current, { outcome, by });
  await deps.audit.record(tx, {
    tenant: scope.tenantId,
    actor: by.actor,
    action: outcome === 'found' ? 'sso_domain.prove' : 'sso_domain.check',
    target: { kind: 'sso_domain', id: domain },
    ...(outcome === 'taken' ? ({ outcome: 'refused', code: 'CONFLICT' } as const) : ({ outcome: 'ok' } as const)),
    data: { domain, result: outcome },
    request_id: by.requestId,
  });
  return { outcome, row };
}

async function rowAfter(
  deps: Dependencies,
  tx: Tx,
  current: DomainRow,
  { outcome, by }: { outcome: Outcome; by: ChangedBy },
): Promise<DomainRow> {
  if (current.proved_at !== null && (outcome === 'missing' || outcome === 'unreachable')) {
    return await noteLook(deps, tx, current, { found: outcome, by });
  }
  const at = deps.now();
  const proved = outcome === 'found' ? { proved_at: current.proved_at ?? at, missing_since: null } : {};
  const row = { ...current, checked_at: at, ...proved };
  await updateDomain(tx, trustedTenantScope(current.tenant_id), row);
  return row;
}

function isInOrder({ proved_at, missing_since }: DomainRow): boolean {
  return proved_at !== null && missing_since === null;
}

async function getDomain(tx: Tx, scope: TenantScope, domain: string): Promise<DomainRow> {
  const row = await findDomain(tx, scope, domain);
  if (row === undefined) throw new AppError('NOT_FOUND', { message: 'No connection of this tenant names the domain.' });
  return row;
}

function onTheWire(row: DomainRow): SsoDomain {
  return {
    domain: row.domain,
    proved_at: row.proved_at?.toISOString() ?? null,
    checked_at: row.checked_at?.toISOString() ?? null,
    missing:
      row.missing_since === null
        ? null
        : { since: row.missing_since.toISOString(), counts_until: countsUntil(row.missing_since).toISOString() },
    record: proofRecord(row),
  };
}

import type { GuardedEgress } from '@airdeck/connector-kit/egress';
import { checkUrl } from '@airdeck/connector-kit/egress-destination';
import { EgressError, type EgressErrorCode } from '@airdeck/connector-kit/egress-error';
import type { Told } from '@airdeck/contracts/filled-text';
import type { Reachability } from '@airdeck/contracts/onboarding/schema';
import { refusal } from '@airdeck/contracts/refusal-texts';
import { AppError } from '../../http/app-error.ts';
import type { Database } from '../../storage/database.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { AuditEntry, AuditLog } from '../audit/audit-log.ts';
import type { ChangedBy } from '../tenants/tenants-port.ts';
import { countCall } from './onboarding-repository.ts';

const CALLS_PER_WINDOW = 10;
const WINDOW_MS = 60_000;
const TIMEOUT_MS = 10_000;

type Dependencies = {
  db: Pick<Database, 'tenant'>;
  egress: Pick<GuardedEgress, 'probe'>;
  audit: Pick<AuditLog, 'record'>;
  now: () => Date;
};

type Check = { url: string; by: ChangedBy; signal: AbortSignal };

/**
 * Whether our calls get to an address, through the same guard they pass. Bounded per tenant, because it lets people make
 * this machine knock on doors; every try is in the audit log, by host.
 *
 * @throws AppError VALIDATION_FAILED for what is no address to call, RATE_LIMITED
 */
export async function checkReachability(
  deps: Dependencies,
  scope: TenantScope,
  { url: text, by, signal }: Check,
): Promise<Reachability> {
  const url = parseAddress(text);
  await admit(deps, scope, { host: url.host, by });
  const { answer, code } = await probe(deps, scope, { url, signal });
  const data = { host: url.host, reachable: answer.reachable, status: answer.status, ...(code && { reason: code }) };
  await record(deps, scope, { outcome: code === 'EGRESS_DENIED' ? 'refused' : 'ok', data }, by);
  return answer;
}

/** Spellings that different programs read as different hosts are refused rather than read our way. */
function parseAddress(text: string): URL {
  const odd = /[\p{Cc}\s\\#]/u.test(text);
  try {
    if (!odd) return checkUrl(text);
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    throw notAnAddress(error.told);
  }
  throw notAnAddress(refusal('EGRESS_ADDRESS_PLAIN'));
}

function notAnAddress(told: Told): AppError {
  return new AppError('VALIDATION_FAILED', { details: [{ path: 'body.url', ...told }] });
}

async function admit(deps: Dependencies, scope: TenantScope, { host, by }: { host: string; by: ChangedBy }) {
  const at = deps.now();
  const waitMs = await deps.db.tenant(scope.tenantId, async (tx) => {
    const { calls, startedAt } = await countCall(tx, scope, { at, windowMs: WINDOW_MS });
    if (calls <= CALLS_PER_WINDOW) return undefined;
    // Once per window: a flood of refused calls must not become a flood of records.
    if (calls === CALLS_PER_WINDOW + 1) {
      const refused = { outcome: 'refused', code: 'RATE_LIMITED', data: { host } } as const;
      await deps.audit.record(tx, entry(scope, refused, by));
    }
    return startedAt.getTime() + WINDOW_MS - at.getTime();
  });
  if (waitMs === undefined) return;
  throw new AppError('RATE_LIMITED', {
    ...refusal('REACHABILITY_TOO_OFTEN', { maximum: CALLS_PER_WINDOW }),
    recorded: true,
    retryAfterS: Math.max(1, Math.ceil(waitMs / 1000)),
  });
}

async function probe(
  { egress }: Dependencies,
  scope: TenantScope,
  { url, signal }: { url: URL; signal: AbortSignal },
): Promise<{ answer: Reachability; code?: EgressErrorCode }> {
  try {
    const seen = await egress.probe({ tenant: scope.tenantId, url: url.href, signal, timeoutMs: TIMEOUT_MS });
    const tls = seen.tls && { valid: seen.tls.problem === null, expires_at: seen.tls.expiresAt?.toISOString() ?? null };
    if (seen.status === null) {
      const told = refusal('EGRESS_CERTIFICATE_ANSWERS', { host: url.host, problem: seen.tls?.problem ?? 'unknown' });
      return { answer: { reachable: false, status: null, latency_ms: seen.latencyMs, tls, ...told } };
    }
    const told = answered(url.host, seen.status, seen.redirectsTo);
    return { answer: { reachable: true, status: seen.status, latency_ms: seen.latencyMs, tls, ...told } };
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    const answer = { reachable: false, status: null, latency_ms: null, tls: null, ...error.told };
    return { answer, code: error.code };
  }
}

function answered(host: string, status: number, target: string | null): Told {
  if (target === null) return refusal('EGRESS_ANSWERED', { host, status });
  return refusal('EGRESS_ANSWERED_ELSEWHERE', { host, status, target });
}

type Outcome = Pick<AuditEntry, 'outcome' | 'code' | 'data'>;

function record(deps: Dependencies, scope: TenantScope, outcome: Outcome, by: ChangedBy): Promise<void> {
  return deps.db.tenant(scope.tenantId, (tx) => deps.audit.record(tx, entry(scope, outcome, by)));
}

/** The host only: paths and queries may carry what must not be written down. */
function entry(scope: TenantScope, outcome: Outcome, by: ChangedBy): AuditEntry {
  return {
    tenant: scope.tenantId,
    actor: by.actor,
    action: 'reachability.check',
    target: { kind: 'address', id: null },
    ...outcome,
    request_id: by.requestId,
  };
}

/**
 * Personal API keys: `aird_` and 256 bits, random or made of the request that asked for them (`keyed-secrets.ts`), stored as
 * a hash. A key opens one tenant with at most the role it was made for and never more than its owner has there at the moment
 * of the call.
 */
import { createHash } from 'node:crypto';
import { hasRole } from '@airdeck/contracts/access/roles';
import type { ApiKey } from '@airdeck/contracts/me/schema';
import { refusal } from '@airdeck/contracts/refusal-texts';
import { serverLimits } from '@airdeck/contracts/server-limits';
import { AppError } from '../../http/app-error.ts';
import type { Caller } from '../../http/handlers.ts';
import { keyedId } from '../../http/keyed-creation.ts';
import { createKeyedSecrets, type KeyedSecrets } from '../../http/keyed-secrets.ts';
import type { Database } from '../../storage/database.ts';
import type { Tx } from '../../storage/schema.ts';
import { auditActor } from '../audit/audit-actor.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { TenantsService } from '../tenants/tenants-port.ts';
import {
  API_KEY_PREFIX,
  type ApiKeyRow,
  type ApiKeysService,
  type NewApiKey,
  TOUCH_EVERY_MS,
} from './api-keys-port.ts';
import {
  countApiKeys,
  findApiKey,
  findApiKeyByHash,
  insertApiKey,
  listApiKeys,
  listLiveHashes,
  lockApiKeys,
  revokeApiKey,
  revokeApiKeysOf,
  touchApiKey,
} from './api-keys-repository.ts';

const KEY_BYTES = 32;
const LIFETIME_MAX_MS = 366 * 24 * 3_600_000;

type Dependencies = {
  db: Pick<Database, 'system'>;
  tenants: Pick<TenantsService, 'findMembership'>;
  audit: AuditLog;
  ids: () => string;
  now: () => Date;
  randomBytes: (size: number) => Buffer;
  /** The installation's secret. */
  secret: string;
};

export function createApiKeysService(deps: Dependencies): ApiKeysService {
  const { db, audit, now } = deps;
  const secrets = createKeyedSecrets(deps.secret, 'api keys');
  return {
    list: async (caller) => (await db.system((tx) => listApiKeys(tx, caller.userId))).map(onWire),
    create: (tx, owner, key, requestId) => createKey({ ...deps, secrets }, tx, { owner, key, requestId }),
    async revoke(caller, id, requestId) {
      await db.system(async (tx) => {
        const revoked = await revokeApiKey(tx, { id, userId: caller.userId, at: now() });
        if (revoked === undefined) throw new AppError('NOT_FOUND', { message: 'This API key does not exist.' });
        await audit.record(tx, {
          tenant: revoked.tenant_id,
          actor: auditActor(caller),
          action: 'api_key.revoke',
          target: { kind: 'api_key', id },
          outcome: 'ok',
          request_id: requestId,
        });
      });
    },
    async revokeAll(tx, { user, tenants }, by) {
      const revoked = await revokeApiKeysOf(tx, { userId: user, tenantIds: tenants, at: now() });
      return revoked.map(({ id, tenant_id }) => ({
        tenant: tenant_id,
        actor: by.actor,
        action: 'api_key.revoke',
        target: { kind: 'api_key', id },
        outcome: 'ok',
        request_id: by.requestId,
      }));
    },
    async findLive(tx, key) {
      const row = await findApiKeyByHash(tx, hashOf(key));
      const at = now();
      if (row === undefined || row.revoked_at !== null || row.expires_at <= at) return undefined;
      const olderThan = new Date(at.getTime() - TOUCH_EVERY_MS);
      if (row.last_used_at !== null && row.last_used_at >= olderThan) return row;
      await touchApiKey(tx, { id: row.id, at, olderThan });
      return { ...row, last_used_at: at };
    },
    async areLive(tx, keys) {
      const hashes = keys.map(hashOf);
      const live = await listLiveHashes(tx, hashes, now());
      return hashes.map((hash) => live.has(hash));
    },
  };
}

type Creation = { owner: Caller; key: NewApiKey; requestId: string | null };

async function createKey(
  deps: Dependencies & { secrets: KeyedSecrets },
  tx: Tx,
  { owner, key, requestId }: Creation,
): Promise<ApiKey & { key: string }> {
  const at = deps.now();
  const expiresAt = new Date(key.expires_at);
  const membership = await deps.tenants.findMembership(tx, owner.userId, key.tenant);
  if (membership === undefined) throw new AppError('TENANT_FORBIDDEN');
  if (!hasRole(membership.role, key.role)) {
    throw new AppError('ROLE_TOO_LOW', { message: 'A key cannot have a higher role than its owner.' });
  }
  const problem = expiryProblem(at, expiresAt);
  if (problem !== undefined) {
    throw new AppError('VALIDATION_FAILED', { details: [{ path: 'body.expires_at', message: problem }] });
  }
  await lockApiKeys(tx, owner.userId);
  const made = madeBy(deps, owner, key.idempotencyKey);
  if (made !== undefined) {
    const known = await findApiKey(tx, { id: made.id, userId: owner.userId });
    if (known !== undefined) return shownAgain(known, { key, secret: made.secret });
  }
  if ((await countApiKeys(tx, owner.userId)) >= serverLimits.apiKeysMax) {
    throw new AppError('CONFLICT', refusal('API_KEYS_TOO_MANY', { maximum: serverLimits.apiKeysMax }));
  }
  const secret = made?.secret ?? `${API_KEY_PREFIX}${deps.randomBytes(KEY_BYTES).toString('base64url')}`;
  const row: ApiKeyRow = {
    id: made?.id ?? deps.ids(),
    tenant_id: key.tenant,
    user_id: owner.userId,
    name: key.name,
    role: key.role,
    hint: `…${secret.slice(-4)}`,
    created_at: at,
    expires_at: expiresAt,
    last_used_at: null,
    revoked_at: null,
  };
  await insertApiKey(tx, { ...row, key_hash: hashOf(secret) });
  await deps.audit.record(tx, {
    tenant: key.tenant,
    actor: auditActor(owner),
    action: 'api_key.create',
    target: { kind: 'api_key', id: row.id },
    outcome: 'ok',
    data: { name: key.name, role: key.role, expires_at: expiresAt.toISOString() },
    request_id: requestId,
  });
  return { ...onWire(row), key: secret };
}

/** What the caller's Idempotency-Key makes. */
function madeBy({ secrets }: { secrets: KeyedSecrets }, owner: Caller, idempotencyKey: string | undefined) {
  if (idempotencyKey === undefined) return undefined;
  const id = keyedId(['api-key', owner.userId, idempotencyKey]);
  return { id, secret: `${API_KEY_PREFIX}${secrets(id, idempotencyKey)}` };
}

function shownAgain(
  row: ApiKeyRow & { key_hash: string },
  { key, secret }: { key: NewApiKey; secret: string },
): ApiKey & { key: string } {
  // None of it ever changes, so the key says itself what it was asked for with.
  const isSame = row.name === key.name && row.tenant_id === key.tenant && row.role === key.role;
  if (!isSame || row.expires_at.getTime() !== Date.parse(key.expires_at)) throw new AppError('IDEMPOTENCY_KEY_REUSED');
  if (row.revoked_at === null && row.key_hash === hashOf(secret)) return { ...onWire(row), key: secret };
  throw new AppError('CONFLICT', { message: 'This request made an API key before, which cannot be shown again.' });
}

function expiryProblem(at: Date, expiresAt: Date): string | undefined {
  if (expiresAt <= at) return 'Must be in the future.';
  if (expiresAt.getTime() > at.getTime() + LIFETIME_MAX_MS) return 'Must be within a year.';
  return undefined;
}

function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

function onWire(row: ApiKeyRow): ApiKey {
  return {
    id: row.id,
    name: row.name,
    tenant: row.tenant_id,
    role: row.role,
    hint: row.hint,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
  };
}

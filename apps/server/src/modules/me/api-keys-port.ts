import type { Role } from '@airdeck/contracts/access/roles';
import type { ApiKey } from '@airdeck/contracts/me/schema';
import type { Caller } from '../../http/handlers.ts';
import type { Tx } from '../../storage/schema.ts';
import type { AuditEntry } from '../audit/audit-log.ts';
import type { ChangedBy } from '../tenants/tenants-port.ts';
import type { ApiKeyTable } from './me-tables.ts';

export const API_KEY_PREFIX = 'aird_';

export type ApiKeyRow = Omit<ApiKeyTable, 'created_at' | 'key_hash'> & { created_at: Date };

/** The last use of a key is noted to the minute. */
export const TOUCH_EVERY_MS = 60_000;

export type NewApiKey = {
  name: string;
  tenant: string;
  role: Role;
  expires_at: string;
  /** Of the request, where it carried one: the same request again finds what it made. */
  idempotencyKey?: string | undefined;
};

export interface ApiKeysService {
  list(caller: Caller): Promise<ApiKey[]>;
  /**
   * Throws TENANT_FORBIDDEN without a membership there, ROLE_TOO_LOW for more than one's own role, IDEMPOTENCY_KEY_REUSED,
   * and CONFLICT when there are too many or the key that the request made cannot be shown again.
   */
  create(tx: Tx, owner: Caller, key: NewApiKey, requestId: string | null): Promise<ApiKey & { key: string }>;
  /** Throws NOT_FOUND, also for keys of others. */
  revoke(caller: Caller, id: string, requestId: string): Promise<void>;
  /** Revokes the keys a user has, or has for these tenants. Returns the audit records, which the caller writes with its own. */
  revokeAll(tx: Tx, keys: { user: string; tenants?: readonly string[] }, by: ChangedBy): Promise<AuditEntry[]>;
  /** The live key of that text, whose last use is noted; undefined when unknown, expired or revoked. */
  findLive(tx: Tx, key: string): Promise<ApiKeyRow | undefined>;
  /** Which of these texts are live keys, in their order. Notes nothing. */
  areLive(tx: Tx, keys: readonly string[]): Promise<boolean[]>;
}

import type { Role } from '@airdeck/contracts/access/roles';
import type { ApiKey } from '@airdeck/contracts/me/schema';
import type { Caller } from '../../http/handlers.ts';
import type { Tx } from '../../storage/schema.ts';
import type { ApiKeyTable } from './me-tables.ts';

export const API_KEY_PREFIX = 'aird_';

export type ApiKeyRow = Omit<ApiKeyTable, 'created_at' | 'key_hash'> & { created_at: Date };

export type NewApiKey = { name: string; tenant: string; role: Role; expires_at: string };

export interface ApiKeysService {
  list(caller: Caller): Promise<ApiKey[]>;
  /** Throws TENANT_FORBIDDEN without a membership there, ROLE_TOO_LOW for more than one's own role. */
  create(tx: Tx, owner: Caller, key: NewApiKey, requestId: string | null): Promise<ApiKey & { key: string }>;
  /** Throws NOT_FOUND, also for keys of others. */
  revoke(caller: Caller, id: string, requestId: string): Promise<void>;
  /** The live key of that text; undefined when unknown, expired or revoked. */
  findLive(tx: Tx, key: string): Promise<ApiKeyRow | undefined>;
}

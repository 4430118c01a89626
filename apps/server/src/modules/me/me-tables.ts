import type { Role } from '@airdeck/contracts/access/roles';
import type { HomeLayout } from '@airdeck/contracts/me/schema';
import type { Generated, JSONColumnType } from 'kysely';

export type ApiKeyTable = {
  id: string;
  tenant_id: string;
  user_id: string;
  name: string;
  role: Role;
  /** SHA-256 of the whole key, hex. The key has 256 random bits, so a slow hash would add nothing. */
  key_hash: string;
  /** The last characters, by which people tell their keys apart. */
  hint: string;
  created_at: Generated<Date>;
  expires_at: Date;
  last_used_at: Date | null;
  revoked_at: Date | null;
};

export type HomeLayoutTable = {
  user_id: string;
  version: number;
  widgets: JSONColumnType<NonNullable<HomeLayout['widgets']> | null, string | null, string | null>;
  known: string[];
  saved_at: Date;
};

export type MeTables = { api_key: ApiKeyTable; home_layout: HomeLayoutTable };

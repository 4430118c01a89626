import type { ClientBase } from 'pg';
import { sqlStateOf } from './sql-state.ts';
import { StorageStartError } from './storage-start-error.ts';

/** Sees only the tenant set in its transaction. */
export const APP_ROLE = 'airdeck_app';
/** Sees all tenants: engine, ingestion, sign-in. */
export const SYSTEM_ROLE = 'airdeck_system';

const ALREADY_THERE = new Set(['42710', '23505', 'XX000']);
const NOT_ALLOWED = '42501';

/**
 * Roles belong to the whole server, not to one database, so no lock of ours covers their creation: another program may
 * win, which is as good. Neither may log in, own tables or pass row-level security.
 */
export async function ensureRoles(client: ClientBase): Promise<void> {
  for (const role of [APP_ROLE, SYSTEM_ROLE]) {
    const { rows } = await client.query<{ unsafe: boolean; member: boolean }>(
      `select rolsuper or rolbypassrls or rolcanlogin or rolcreaterole or rolcreatedb as unsafe,
              exists (select 1 from pg_auth_members m join pg_roles u on u.oid = m.member
                      where m.roleid = r.oid and u.rolname = session_user) as member
       from pg_roles r where rolname = $1`,
      [role],
    );
    const [found] = rows;
    if (found?.unsafe === true) {
      throw new StorageStartError(
        'ROLE_MISSING',
        `The database role ${role} must have none of SUPERUSER, BYPASSRLS, LOGIN, CREATEROLE and CREATEDB.`,
      );
    }
    if (found === undefined) await attempt(client, `create role ${role}`, role);
    if (found?.member !== true) await attempt(client, `grant ${role} to session_user`, role);
  }
}

async function attempt(client: ClientBase, statement: string, role: string): Promise<void> {
  try {
    await client.query(statement);
  } catch (error) {
    const state = sqlStateOf(error);
    if (state !== undefined && ALREADY_THERE.has(state)) return;
    if (state !== NOT_ALLOWED) throw error;
    throw new StorageStartError(
      'ROLE_MISSING',
      `The login of DATABASE_URL may not create the role ${role}: let an administrator run "create role ${role}" and "grant ${role} to" that login.`,
      { cause: error },
    );
  }
}

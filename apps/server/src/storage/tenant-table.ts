import { APP_ROLE, SYSTEM_ROLE } from './roles.ts';

const NAME = /^[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)?$/;

export type TenantTableOptions = {
  /** The uuid column that names the owner. */
  tenantColumn?: string;
  /** What the tenant's own transactions may do; narrower for append-only tables. */
  appMay?: readonly ('select' | 'insert' | 'update' | 'delete')[];
  systemMay?: readonly ('select' | 'insert' | 'update' | 'delete')[];
};

const ALL = ['select', 'insert', 'update', 'delete'] as const;

/**
 * Statements that put a table under row-level security: forced, so that the owner is no exception; one policy for the
 * tenant of the transaction (no tenant set = no rows), one for the system role; grants for both.
 */
export function tenantTable(name: string, options: TenantTableOptions = {}): string {
  const { tenantColumn = 'tenant_id', appMay = ALL, systemMay = ALL } = options;
  if (!NAME.test(name) || !NAME.test(tenantColumn))
    throw new Error(`Not a table or column name: ${name}, ${tenantColumn}`);
  const own = `${tenantColumn} = nullif(current_setting('airdeck.tenant', true), '')::uuid`;
  return `
alter table ${name} enable row level security;
alter table ${name} force row level security;
create policy tenant_rows on ${name} to ${APP_ROLE} using (${own}) with check (${own});
create policy system_rows on ${name} to ${SYSTEM_ROLE} using (true) with check (true);
${grants(name, APP_ROLE, appMay)}
${grants(name, SYSTEM_ROLE, systemMay)}
`;
}

/** A table without a tenant, which only the system role works with. */
export function systemTable(name: string): string {
  if (!NAME.test(name)) throw new Error(`Not a table name: ${name}`);
  return grants(name, SYSTEM_ROLE, ALL);
}

function grants(name: string, role: string, rights: readonly string[]): string {
  return rights.length === 0 ? '' : `grant ${rights.join(', ')} on ${name} to ${role};`;
}

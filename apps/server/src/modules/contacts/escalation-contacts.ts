import type { CaseSeverity } from '@airdeck/contracts/statuses';
import type { Tx } from '../../storage/schema.ts';

export type EscalationContact = {
  id: string;
  name: string;
  email: string;
  /** What they want to be told by; nothing chosen is mail about everything. */
  notify: { case_severities: readonly CaseSeverity[]; channels: readonly string[] };
};

/** The contacts of each tenant's escalation in their order; tenants without one are missing. Needs a system transaction. */
export async function escalationContacts(
  tx: Tx,
  tenantIds: readonly string[],
): Promise<ReadonlyMap<string, readonly EscalationContact[]>> {
  if (tenantIds.length === 0) return new Map();
  const rows = await tx
    .selectFrom('contact')
    .select(['tenant_id', 'id', 'name', 'email', 'notify'])
    .where('tenant_id', 'in', [...tenantIds])
    .where('escalation_order', 'is not', null)
    .orderBy('tenant_id')
    .orderBy('escalation_order')
    .execute();
  const byTenant = new Map<string, EscalationContact[]>();
  for (const { tenant_id: tenant, ...contact } of rows)
    byTenant.set(tenant, [...(byTenant.get(tenant) ?? []), contact]);
  return byTenant;
}

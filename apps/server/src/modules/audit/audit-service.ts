/**
 * Hash chain per tenant: record n holds the hash of record n-1 and its own, the head row holds the last one.
 * Records of a tenant are written one after the other, under the lock of its head row, so sequence numbers have no gap
 * and a missing one is proof of removal. A crash rolls back the record together with the effect it belongs to.
 */
import { storableJson, storableText } from '@airdeck/domain/storable-json';
import type { Tx } from '../../storage/schema.ts';
import { trustedTenantScope } from '../../tenant-scope.ts';
import { auditHash } from './audit-hash.ts';
import type { AuditEntry, AuditLog } from './audit-log.ts';
import { appendRecords, lockChain } from './audit-repository.ts';
import { verifyChain } from './audit-verify.ts';

export function createAuditService(deps: { now: () => Date }): AuditLog {
  /** All of one tenant. */
  async function appendAll(tx: Tx, entries: readonly AuditEntry[]): Promise<void> {
    const [first] = entries;
    if (first === undefined) return;
    // The entry names the tenant of the rows that were just written, which the caller was authorised for.
    const scope = trustedTenantScope(first.tenant);
    const head = await lockChain(tx, scope);
    let { sequence, hash } = head;
    const at = deps.now();
    const records = entries.map((entry) => {
      const record = { ...fieldsOf(entry), sequence: sequence + 1, at, previous_hash: hash };
      ({ sequence } = record);
      hash = auditHash(hash, record);
      return { ...record, hash };
    });
    await appendRecords(tx, scope, records, { sequence, hash });
  }

  return {
    record: (tx, entry) => appendAll(tx, [entry]),
    async recordAll(tx, entries) {
      const byTenant = new Map<string, AuditEntry[]>();
      for (const entry of entries) byTenant.set(entry.tenant, [...(byTenant.get(entry.tenant) ?? []), entry]);
      // Everybody locks chains in this order, so nobody waits in a circle.
      for (const tenant of [...byTenant.keys()].sort()) await appendAll(tx, byTenant.get(tenant) ?? []);
    },
    verify: (tx, scope) => verifyChain((work) => work(tx), scope),
  };
}

function fieldsOf(entry: AuditEntry) {
  return {
    tenant_id: entry.tenant,
    actor_kind: entry.actor.kind,
    actor_id: entry.actor.id,
    actor_name: storableText(entry.actor.name),
    action: entry.action,
    target_kind: entry.target.kind,
    target_id: entry.target.id === null ? null : storableText(entry.target.id),
    outcome: entry.outcome,
    code: entry.code ?? null,
    // As the store will give it back, because the hash must fit what is read.
    data: JSON.parse(storableJson(entry.data ?? {})) as unknown,
    request_id: entry.request_id,
  };
}

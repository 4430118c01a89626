import type { DraftDefinition } from '@airdeck/contracts/playbooks/schema';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../http/app-error.ts';
import type { Database } from '../../storage/database.ts';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import { auditEntry, type Editor, notThere, requireRoom } from './playbook-changes.ts';
import { findDraft, findPlaybook, insertPlaybook, putDraft } from './playbooks-repository.ts';

/**
 * Judges whether whoever sent a request may build playbooks in another tenant, exactly as if the request had gone to that
 * tenant: same sign-in, role, plan, key, same answer for a foreign tenant as for none, same record of a refusal.
 */
export type AuthorizeElsewhere = (request: FastifyRequest, tenantId: string) => Promise<TenantScope>;

export type CopyDependencies = {
  db: Pick<Database, 'system'>;
  now: () => Date;
  audit: Pick<AuditLog, 'recordAll'>;
};

export type Copy = {
  from: { scope: TenantScope; id: string };
  to: { scope: TenantScope; id: string; requestHash: string | null };
  name: string;
};

/** Copies what is published (or the draft of what never was) as the draft of a new playbook. Throws NOT_FOUND. */
export function createPlaybookCopies({ db, now, audit }: CopyDependencies) {
  return async ({ from, to, name }: Copy, by: Editor): Promise<void> => {
    // The one transaction reaches two tenants; every statement names the one it is for.
    await db.system(async (tx) => {
      const source = await definitionOf(tx, from.scope, from.id);
      const at = now();
      const { id, requestHash } = to;
      if (!(await insertPlaybook(tx, to.scope, { id, version: 0, definition: null, requestHash, at }))) {
        const known = await findPlaybook(tx, to.scope, id);
        if (requestHash === null || known?.request_hash !== requestHash) throw new AppError('IDEMPOTENCY_KEY_REUSED');
        return;
      }
      await requireRoom(tx, to.scope);
      const isElsewhere = to.scope.tenantId !== from.scope.tenantId;
      const definition = isElsewhere ? withoutConnectors(source) : source;
      const metadata = { ...definition.metadata, name, author: by.username, updated_by: by.username };
      await putDraft(tx, to.scope, id, {
        definition: { ...definition, metadata },
        updated_at: at,
        updated_by: by.username,
      });
      const origin = { copied_from: from.id, ...(isElsewhere ? { from_tenant: from.scope.tenantId } : {}) };
      const created = auditEntry(to.scope, { id, action: 'playbook.create', data: { name, ...origin } }, by);
      const data = { name, copy: id, to_tenant: to.scope.tenantId };
      const duplicated = auditEntry(from.scope, { id: from.id, action: 'playbook.duplicate', data }, by);
      await audit.recordAll(tx, isElsewhere ? [duplicated, created] : [created]);
    });
  };
}

async function definitionOf(tx: Tx, scope: TenantScope, id: string): Promise<DraftDefinition> {
  const row = await findPlaybook(tx, scope, id);
  if (row?.definition) return row.definition as DraftDefinition;
  const draft = await findDraft(tx, scope, id);
  if (!draft) throw notThere();
  return draft.definition;
}

/** Connectors belong to their tenant: in another one the tenant's default connector is taken until somebody chooses. */
function withoutConnectors(definition: DraftDefinition): DraftDefinition {
  return {
    ...definition,
    actions: definition.actions.map((action) =>
      action.connector_id == null ? action : { ...action, connector_id: null },
    ),
  };
}

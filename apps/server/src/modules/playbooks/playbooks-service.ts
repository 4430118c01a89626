import type { Playbook, PlaybookDefinition } from '@airdeck/contracts/playbooks/schema';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { AuditActor, AuditLog } from '../audit/audit-log.ts';
import { findPlaybook, insertPlaybook, listPlaybooks, type PlaybookRow } from './playbooks-repository.ts';

export type RunnablePlaybook = { name: string; definition: PlaybookDefinition };

type ChangedBy = { actor: AuditActor; requestId: string | null };

export type PlaybooksService = {
  list(tx: Tx, scope: TenantScope): Promise<Playbook[]>;
  find(tx: Tx, scope: TenantScope, id: string): Promise<Playbook | undefined>;
  /** What a run of it needs. */
  findForRun(tx: Tx, scope: TenantScope, id: string): Promise<RunnablePlaybook | undefined>;
  /** Returns the new playbook's id. */
  create(tx: Tx, scope: TenantScope, definition: PlaybookDefinition, by: ChangedBy): Promise<string>;
};

export function createPlaybooksService(deps: { ids: () => string; audit: Pick<AuditLog, 'record'> }): PlaybooksService {
  return {
    list: async (tx, scope) => (await listPlaybooks(tx, scope)).map(onTheWire),
    find: async (tx, scope, id) => {
      const row = await findPlaybook(tx, scope, id);
      return row && onTheWire(row);
    },
    findForRun: async (tx, scope, id) => {
      const row = await findPlaybook(tx, scope, id);
      return row && { name: row.definition.metadata.name, definition: row.definition };
    },
    create: async (tx, scope, definition, by) => {
      const id = deps.ids();
      await insertPlaybook(tx, scope, { id, definition });
      await deps.audit.record(tx, {
        tenant: scope.tenantId,
        actor: by.actor,
        action: 'playbook.create',
        target: { kind: 'playbook', id },
        outcome: 'ok',
        data: { name: definition.metadata.name },
        request_id: by.requestId,
      });
      return id;
    },
  };
}

function onTheWire(row: PlaybookRow): Playbook {
  return {
    ...row.definition,
    id: row.id,
    tenant: row.tenant_id,
    version: row.version,
    updated_at: row.updated_at.toISOString(),
  };
}

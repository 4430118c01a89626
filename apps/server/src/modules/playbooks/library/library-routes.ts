import type { PlaybookDefinition, ShippedPlaybook } from '@airdeck/contracts/playbooks/schema';
import { AppError } from '../../../http/app-error.ts';
import type { Handlers } from '../../../http/handlers.ts';
import type { Database } from '../../../storage/database.ts';
import type { Tx } from '../../../storage/schema.ts';
import type { TenantScope } from '../../../tenant-scope.ts';
import { auditActor } from '../../audit/audit-actor.ts';
import { requireRoom } from '../playbook-changes.ts';
import { presentPlaybooks } from '../playbooks-repository.ts';
import type { PlaybooksService } from '../playbooks-service.ts';
import { addShippedPlaybooks, isShipped, shippedPlaybookId } from './library-seed.ts';
import { type ShippedPlaybook as Key, shippedPlaybooks } from './shipped-playbooks.ts';

type Dependencies = { db: Pick<Database, 'tenant' | 'read'>; service: Pick<PlaybooksService, 'create'> };

export function libraryHandlers({
  db,
  service,
}: Dependencies): Handlers<'playbooks.library' | 'playbooks.add-from-library'> {
  return {
    'playbooks.library': (_request, { scope }) => db.read(scope.tenantId, (tx) => libraryOf(tx, scope)),
    'playbooks.add-from-library': ({ body }, { scope, caller, requestId }) => {
      const unknown = body.keys.find((key) => !isShipped(key));
      if (unknown !== undefined) {
        throw new AppError('NOT_FOUND', { message: `The library has no playbook "${unknown}".` });
      }
      const keys = [...new Set(body.keys.filter(isShipped))];
      return db.tenant(scope.tenantId, async (tx) => {
        await addShippedPlaybooks(service, tx, scope, { actor: auditActor(caller), requestId }, keys);
        await requireRoom(tx, scope);
        return await libraryOf(tx, scope);
      });
    },
  };
}

async function libraryOf(tx: Tx, scope: TenantScope): Promise<ShippedPlaybook[]> {
  const shipped = (Object.keys(shippedPlaybooks) as Key[]).map((key) => ({ key, id: shippedPlaybookId(scope, key) }));
  const present = await presentPlaybooks(
    tx,
    scope,
    shipped.map(({ id }) => id),
  );
  return shipped
    .map(({ key, id }) => ({ ...about(key), playbook_id: present.has(id) ? id : null }))
    .sort((one, other) => one.name.localeCompare(other.name));
}

function about(key: Key): Omit<ShippedPlaybook, 'playbook_id'> {
  const { metadata, actions } = shippedPlaybooks[key] as PlaybookDefinition;
  const called = actions.flatMap((node) => (node.kind === 'action' ? [node.action.split('.', 1)[0] ?? ''] : []));
  return { key, name: metadata.name, description: metadata.description, integrations: [...new Set(called)].sort() };
}

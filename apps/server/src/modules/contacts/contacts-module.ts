import { AppError } from '../../http/app-error.ts';
import type { Handlers } from '../../http/handlers.ts';
import { keyedCreation } from '../../http/keyed-creation.ts';
import type { Database } from '../../storage/database.ts';
import { auditActor } from '../audit/audit-actor.ts';
import { createContactsService } from './contacts-service.ts';

type Dependencies = { db: Pick<Database, 'tenant'>; ids: () => string } & Parameters<typeof createContactsService>[0];

export type ContactsModule = {
  handlers: Handlers<'contacts.list' | 'contacts.create' | 'contacts.update' | 'contacts.delete'>;
};

export function createContactsModule(deps: Dependencies): ContactsModule {
  const { db } = deps;
  const service = createContactsService(deps);
  return {
    handlers: {
      'contacts.list': ({ query }, { scope }) => db.tenant(scope.tenantId, (tx) => service.list(tx, scope, query.q)),
      'contacts.create': ({ body }, context) => {
        const { scope, caller, requestId } = context;
        const request = keyedCreation('contact', context, { scope, body, ids: deps.ids });
        const by = { actor: auditActor(caller), requestId, request };
        return db.tenant(scope.tenantId, (tx) => service.create(tx, scope, body, by));
      },
      'contacts.update': ({ params, body }, { scope, caller, requestId }) => {
        // Sent back as it was read it names what it is: another contact's, or another tenant's, came to the wrong address.
        if (body.tenant !== undefined && body.tenant !== scope.tenantId) throw new AppError('TENANT_MISMATCH');
        if (body.id !== undefined && body.id !== params.id) {
          const details = [{ path: 'body.id', message: 'Is not the id of the address.' }];
          throw new AppError('VALIDATION_FAILED', { details });
        }
        const by = { actor: auditActor(caller), requestId };
        return db.tenant(scope.tenantId, (tx) => service.update(tx, scope, { id: params.id, input: body }, by));
      },
      'contacts.delete': async ({ params }, { scope, caller, requestId }) => {
        const by = { actor: auditActor(caller), requestId };
        await db.tenant(scope.tenantId, (tx) => service.delete(tx, scope, params.id, by));
        return undefined;
      },
    },
  };
}

import { publishedAction } from '@airdeck/connector-kit/definition';
import { AppError } from '../../http/app-error.ts';
import type { Handlers } from '../../http/handlers.ts';
import type { Database } from '../../storage/database.ts';
import type { ActionCatalogue } from './action-catalogue.ts';

export type ActionsModule = { handlers: Handlers<'actions.list' | 'actions.get'> };

type Dependencies = { db: Pick<Database, 'read'>; catalogue: Pick<ActionCatalogue, 'list' | 'find'> };

export function createActionsModule({ db, catalogue }: Dependencies): ActionsModule {
  return {
    handlers: {
      'actions.list': (_request, { scope }) =>
        db.read(scope.tenantId, async (tx) => [...(await catalogue.list(tx, scope))]),
      'actions.get': async ({ params }, { scope }) => {
        const action = await db.read(scope.tenantId, (tx) => catalogue.find(params.id, tx, scope));
        if (!action) throw new AppError('NOT_FOUND', { message: 'This action does not exist.' });
        return publishedAction(action);
      },
    },
  };
}

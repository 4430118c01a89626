import { publishedAction } from '@airdeck/connector-kit/definition';
import { AppError } from '../../http/app-error.ts';
import type { Handlers } from '../../http/handlers.ts';
import type { ActionCatalogue } from './action-catalogue.ts';

export type ActionsModule = { handlers: Handlers<'actions.list' | 'actions.get'> };

export function createActionsModule({ catalogue }: { catalogue: ActionCatalogue }): ActionsModule {
  return {
    handlers: {
      'actions.list': () => Promise.resolve([...catalogue.list()]),
      'actions.get': ({ params }) => {
        const action = catalogue.find(params.id);
        if (!action) throw new AppError('NOT_FOUND', { message: 'This action does not exist.' });
        return Promise.resolve(publishedAction(action));
      },
    },
  };
}

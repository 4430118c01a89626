import { AppError } from '../../http/app-error.ts';
import type { Handlers } from '../../http/handlers.ts';
import type { Database } from '../../storage/database.ts';
import { createPlaybooksService, type PlaybooksService } from './playbooks-service.ts';

export type PlaybooksModule = {
  service: PlaybooksService;
  handlers: Handlers<'playbooks.list' | 'playbooks.get'>;
};

export function createPlaybooksModule(
  deps: { db: Database } & Parameters<typeof createPlaybooksService>[0],
): PlaybooksModule {
  const { db } = deps;
  const service = createPlaybooksService(deps);
  return {
    service,
    handlers: {
      'playbooks.list': (_request, { scope }) => db.tenant(scope.tenantId, (tx) => service.list(tx, scope)),
      'playbooks.get': async ({ params }, { scope }) => {
        const playbook = await db.tenant(scope.tenantId, (tx) => service.find(tx, scope, params.id));
        if (!playbook) throw new AppError('NOT_FOUND', { message: 'This playbook does not exist.' });
        return playbook;
      },
    },
  };
}

import type { Handlers } from '../../http/handlers.ts';
import { idempotencyKeyOf } from '../../http/idempotency-key.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { ApiKeysService } from './api-keys-port.ts';
import { createApiKeysService } from './api-keys-service.ts';
import { createHomeLayouts } from './home-layout.ts';
import { changeOwnProfile, deleteOwnAccount, type MeDependencies, readCurrentUser } from './me-service.ts';

type Dependencies = MeDependencies & {
  audit: AuditLog;
  ids: () => string;
  now: () => Date;
  randomBytes: (size: number) => Buffer;
  /** The installation's secret. */
  secret: string;
};

export type MeModule = {
  apiKeys: ApiKeysService;
  handlers: Handlers<
    | 'me.get'
    | 'me.update'
    | 'me.delete'
    | 'home-layout.get'
    | 'home-layout.save'
    | 'api-keys.list'
    | 'api-keys.create'
    | 'api-keys.revoke'
  >;
};

export function createMeModule(deps: Dependencies): MeModule {
  const apiKeys = createApiKeysService(deps);
  const layouts = createHomeLayouts(deps);
  return {
    apiKeys,
    handlers: {
      'me.get': (_request, { caller }) => readCurrentUser(deps, caller),
      'me.update': ({ body }, { caller, requestId }) => changeOwnProfile(deps, body, { caller, requestId }),
      'me.delete': async (_request, { caller, requestId, confirm }) => {
        await deleteOwnAccount(deps, { caller, requestId, confirm, apiKeys });
        return undefined;
      },
      'home-layout.get': (_request, { caller }) => layouts.get(caller),
      'home-layout.save': ({ body }, { caller, requestId }) => layouts.save(caller, body, requestId),
      'api-keys.list': (_request, { caller }) => apiKeys.list(caller),
      'api-keys.create': ({ body }, { caller, requestId, raw }) => {
        const key = { ...body, idempotencyKey: idempotencyKeyOf(raw.request.headers) };
        return deps.db.system((tx) => apiKeys.create(tx, caller, key, requestId));
      },
      'api-keys.revoke': async ({ params }, { caller, requestId }) => {
        await apiKeys.revoke(caller, params.id, requestId);
        return undefined;
      },
    },
  };
}

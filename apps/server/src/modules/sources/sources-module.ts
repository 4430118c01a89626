import type { Handlers } from '../../http/handlers.ts';
import type { Database } from '../../storage/database.ts';
import { auditActor } from '../audit/audit-actor.ts';
import { type EventVolume, eventVolume } from './event-volume.ts';
import type { SourceFinder } from './ingest-source.ts';
import { createSourceFinder } from './source-finder.ts';
import { createSourcesService, type SourcesDependencies, type SourcesService } from './sources-service.ts';

export type SourcesModule = {
  service: SourcesService;
  finder: SourceFinder;
  volume: EventVolume;
  handlers: Handlers<'sources.list' | 'sources.create'>;
};

export function createSourcesModule(deps: SourcesDependencies & { db: Database }): SourcesModule {
  const { db } = deps;
  const service = createSourcesService(deps);
  return {
    service,
    finder: createSourceFinder(deps),
    volume: eventVolume,
    handlers: {
      'sources.list': (_request, { scope }) => db.tenant(scope.tenantId, (tx) => service.list(tx, scope)),
      'sources.create': ({ body }, { scope, caller, requestId }) =>
        db.tenant(scope.tenantId, (tx) =>
          service.createSource(tx, scope, body, { actor: auditActor(caller), requestId }),
        ),
    },
  };
}

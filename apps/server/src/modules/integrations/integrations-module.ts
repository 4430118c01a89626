import type { ConnectorRegistry } from '@airdeck/connector-kit/registry';
import { AppError } from '../../http/app-error.ts';
import type { Handlers } from '../../http/handlers.ts';
import type { Database } from '../../storage/database.ts';
import { integrationDetailOnTheWire, integrationOnTheWire, isOwnIngestion } from '../connectors/connector-view.ts';
import type { OwnIntegrations } from '../openapi-import/openapi-import-port.ts';
import type { DefinitionLookup } from './definitions-port.ts';

export type IntegrationsModule = { handlers: Handlers<'integrations.list' | 'integrations.get'> };

type Dependencies = {
  db: Pick<Database, 'read'>;
  registry: Pick<ConnectorRegistry, 'list'>;
  definitions: DefinitionLookup;
  own: Pick<OwnIntegrations, 'list'>;
};

/** The catalogue of what can be connected: the product's part is the same for every tenant, so it is put together once. */
export function createIntegrationsModule({ db, registry, definitions, own }: Dependencies): IntegrationsModule {
  const visible = registry
    .list()
    .filter((definition) => definition.visible && !isOwnIngestion(definition))
    .map(integrationOnTheWire);
  return {
    handlers: {
      'integrations.list': async (_request, { scope }) => {
        const imported = await db.read(scope.tenantId, (tx) => own.list(tx, scope));
        if (imported.length === 0) return visible;
        return [...visible, ...imported.map(integrationOnTheWire)].sort((a, b) => a.name.localeCompare(b.name, 'en'));
      },
      'integrations.get': async ({ params }, { scope }) => {
        const definition = await db.read(scope.tenantId, async (tx) => definitions.find(params.id, tx, scope));
        if (!definition || isOwnIngestion(definition)) {
          throw new AppError('NOT_FOUND', { message: 'This integration does not exist. It may have been removed.' });
        }
        return integrationDetailOnTheWire(definition);
      },
    },
  };
}

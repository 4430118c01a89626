import type { ConnectorRegistry } from '@airdeck/connector-kit/registry';
import { AppError } from '../../http/app-error.ts';
import type { Handlers } from '../../http/handlers.ts';
import { integrationOnTheWire, isOwnIngestion } from '../connectors/connector-view.ts';

export type IntegrationsModule = { handlers: Handlers<'integrations.list' | 'integrations.get'> };

/** The catalogue of what can be connected. The same for every tenant, so it is put together once. */
export function createIntegrationsModule({
  registry,
}: {
  registry: Pick<ConnectorRegistry, 'list' | 'find'>;
}): IntegrationsModule {
  const visible = registry
    .list()
    .filter((definition) => definition.visible && !isOwnIngestion(definition))
    .map(integrationOnTheWire);
  return {
    handlers: {
      'integrations.list': () => Promise.resolve(visible),
      'integrations.get': ({ params }) => {
        const definition = registry.find(params.id);
        if (!definition || isOwnIngestion(definition)) {
          throw new AppError('NOT_FOUND', { message: 'This integration does not exist. It may have been removed.' });
        }
        return Promise.resolve(integrationOnTheWire(definition));
      },
    },
  };
}

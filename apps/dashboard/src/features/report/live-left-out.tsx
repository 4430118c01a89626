import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { t } from '../../language/translate.ts';
import { connectorQueries } from '../../queries/connectors.ts';
import { integrationQueries } from '../../queries/integrations.ts';
import { useTenantApi } from '../../session/app-context.ts';

type Props = { integrations: readonly string[]; connectorId: string | undefined };

/** Where the search asks connectors live: their events are seen there, and a file is made of stored ones alone. */
export function LiveLeftOut({ integrations, connectorId }: Props) {
  const tenantApi = useTenantApi();
  const connectors = useQuery(connectorQueries.list(tenantApi));
  const offered = useQuery(integrationQueries.list(tenantApi));
  const searchable = offered.data?.filter(({ capabilities }) => capabilities.includes('search')).map(({ id }) => id);
  const asked = connectors.data?.some(
    ({ id, definition_id: definitionId, enabled }) =>
      enabled &&
      searchable?.includes(definitionId) &&
      (connectorId === undefined || id === connectorId) &&
      (integrations.length === 0 || integrations.includes(definitionId)),
  );
  if (asked !== true) return null;
  return (
    <Text size="xs" c="dimmed">
      {t('Events that are found live are not in the file.')}
    </Text>
  );
}

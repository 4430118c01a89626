import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useIsFetching, useQueryClient } from '@tanstack/react-query';
import { useKept } from '../../components/widgets/use-kept.ts';
import { WidgetPage } from '../../components/widgets/widget-page.tsx';
import { t } from '../../language/translate.ts';
import { alertsKey, refreshAlerts } from '../../queries/graylog.ts';
import { useTenantApi } from '../../session/app-context.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { AlertWidgetView } from './alert-widget-view.tsx';
import { alertWidgetTypes, defaultAlertWidgets, readAlertWidgets, writeAlertWidgets } from './alert-widgets.ts';
import { useGraylog, WithGraylog } from './with-graylog.tsx';

const store = { read: readAlertWidgets, write: writeAlertWidgets };
const choice = { types: alertWidgetTypes, first: defaultAlertWidgets };

/** What the event definitions of Graylog have raised, in figures. */
export function AlertsPage() {
  const [list, change] = useKept(store);
  const graylog = useGraylog();
  return (
    <WidgetPage list={list} change={change} choice={choice} view={AlertWidgetView}>
      {({ menus, grid }) => (
        <>
          <PageHeader
            title={t('Alerts')}
            purpose={
              graylog === undefined
                ? t('What the event definitions of Graylog have raised.')
                : t('What the event definitions of {name} have raised.', { name: graylog.name })
            }
            actions={
              graylog?.enabled === true ? (
                <>
                  <RefreshButton />
                  {menus}
                </>
              ) : undefined
            }
          />
          <WithGraylog>{() => grid}</WithGraylog>
        </>
      )}
    </WidgetPage>
  );
}

function RefreshButton() {
  const queryClient = useQueryClient();
  const { tenantId } = useTenantApi();
  const fetching = useIsFetching({ queryKey: alertsKey(tenantId) }) > 0;
  return (
    <Button
      variant="default"
      leftSection={<IconRefresh size={16} aria-hidden />}
      loading={fetching}
      onClick={() => void refreshAlerts(queryClient, tenantId)}
    >
      {t('Refresh')}
    </Button>
  );
}

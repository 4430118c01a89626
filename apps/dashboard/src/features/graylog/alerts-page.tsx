import { Button } from '@mantine/core';
import { IconCalendar, IconChevronDown, IconRefresh } from '@tabler/icons-react';
import { useIsFetching, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { GridFrame, GridSlot } from '../../components/widgets/grid.tsx';
import { spanName } from '../../components/widgets/span-text.ts';
import { spanOfStored } from '../../components/widgets/stored-span.ts';
import { t } from '../../language/translate.ts';
import type { DashboardSpan } from '../../queries/dashboards.ts';
import { alertsKey, refreshAlerts } from '../../queries/graylog.ts';
import { useTenantApi } from '../../session/app-context.ts';
import { OnDemand } from '../../ui/on-demand.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { useReader } from '../../ui/reader.ts';
import { AlertWidgetView } from './alert-widget-view.tsx';
import type { AlertWidget } from './alert-widgets.ts';
import { useAlertWidgets } from './use-alert-widgets.ts';
import { useGraylog, WithGraylog } from './with-graylog.tsx';

const RangeDialog = lazy(() =>
  import('../../components/widgets/range-dialog.tsx').then((module) => ({ default: module.RangeDialog })),
);

const loadPageMenu = () => import('../../components/widgets/page-menu.tsx').then((module) => module.PageMenu);

/** What the event definitions of Graylog have raised, in figures. */
export function AlertsPage() {
  const widgets = useAlertWidgets();
  const graylog = useGraylog();
  // Whose custom period is being chosen: one widget's, or of all.
  const [choosing, setChoosing] = useState<AlertWidget | 'all'>();
  const closeDialog = () => {
    const opener = choosing === 'all' ? 'all' : choosing?.id;
    setChoosing(undefined);
    // The menu the dialog was opened from is gone by now; its button is where one was before.
    document.querySelector<HTMLElement>(`[data-period-of="${opener}"]`)?.focus();
  };
  return (
    <>
      <PageHeader
        title={t('Alerts')}
        purpose={
          graylog === undefined
            ? t('What the event definitions of Graylog have raised.')
            : t('What the event definitions of {name} have raised.', { name: graylog.name })
        }
        actions={
          graylog?.enabled === true ? <PageActions widgets={widgets} onCustom={() => setChoosing('all')} /> : undefined
        }
      />
      <WithGraylog>
        {() => (
          <GridFrame>
            {widgets.list.map((widget) => (
              <GridSlot key={widget.id} size={widget.data.size} type={widget.type}>
                <AlertWidgetView
                  widget={widget}
                  controls={{
                    span: spanOfStored(widget.data),
                    onSpan: (span) => widgets.setSpan(span, widget.type),
                    onCustom: () => setChoosing(widget),
                  }}
                />
              </GridSlot>
            ))}
          </GridFrame>
        )}
      </WithGraylog>
      {choosing === undefined ? null : (
        <Suspense fallback={null}>
          <RangeDialog
            of={choosing === 'all' ? t('all widgets') : choosing.data.name}
            shown={
              choosing === 'all' ? (commonSpan(widgets.list) ?? { period: 'LAST_7_DAYS' }) : spanOfStored(choosing.data)
            }
            onClose={closeDialog}
            onSave={(range) => {
              widgets.setSpan({ period: 'CUSTOM', range }, choosing === 'all' ? undefined : choosing.type);
              closeDialog();
            }}
          />
        </Suspense>
      )}
    </>
  );
}

type ActionsProps = { widgets: ReturnType<typeof useAlertWidgets>; onCustom: () => void };

/** What concerns all widgets. */
function PageActions({ widgets, onCustom }: ActionsProps) {
  const reader = useReader();
  const queryClient = useQueryClient();
  const { tenantId } = useTenantApi();
  const fetching = useIsFetching({ queryKey: alertsKey(tenantId) }) > 0;
  const span = commonSpan(widgets.list);
  const shown = span === undefined ? t('Mixed periods') : spanName(span, reader);
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconRefresh size={16} aria-hidden />}
        loading={fetching}
        onClick={() => void refreshAlerts(queryClient, tenantId)}
      >
        {t('Refresh')}
      </Button>
      <OnDemand
        load={loadPageMenu}
        button={
          <Button
            variant="default"
            aria-haspopup="menu"
            data-period-of="all"
            aria-label={t('{shown}: period of all widgets', { shown })}
            leftSection={<IconCalendar size={16} aria-hidden />}
            rightSection={<IconChevronDown size={14} aria-hidden />}
          >
            {shown}
          </Button>
        }
        extra={{ span, onSpan: (next: DashboardSpan) => widgets.setSpan(next), onCustom }}
      />
    </>
  );
}

/** The span all widgets share; undefined when they differ. */
function commonSpan(widgets: readonly AlertWidget[]): DashboardSpan | undefined {
  const [first, ...others] = widgets.map(({ data }) => spanOfStored(data));
  const text = JSON.stringify(first);
  return others.every((span) => JSON.stringify(span) === text) ? first : undefined;
}

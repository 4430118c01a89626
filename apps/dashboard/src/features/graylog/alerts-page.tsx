import { Button, VisuallyHidden } from '@mantine/core';
import { IconCalendar, IconChevronDown, IconPlus, IconRefresh } from '@tabler/icons-react';
import { useIsFetching, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { spanName } from '../../components/widgets/span-text.ts';
import { WidgetGrid } from '../../components/widgets/widget-grid.tsx';
import { type ChangeWidgets, spanOf, type Widget, withSpan } from '../../components/widgets/widgets.ts';
import { t } from '../../language/translate.ts';
import type { DashboardSpan } from '../../queries/dashboards.ts';
import { alertsKey, refreshAlerts } from '../../queries/graylog.ts';
import { useTenantApi } from '../../session/app-context.ts';
import { OnDemand } from '../../ui/on-demand.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { useReader } from '../../ui/reader.ts';
import { AlertWidgetView } from './alert-widget-view.tsx';
import { alertWidgetTypes, defaultAlertWidgets } from './alert-widgets.ts';
import { useAlertWidgets } from './use-alert-widgets.ts';
import { useGraylog, WithGraylog } from './with-graylog.tsx';

const RangeDialog = lazy(() =>
  import('../../components/widgets/range-dialog.tsx').then((module) => ({ default: module.RangeDialog })),
);

const loadWidgetsMenu = () => import('../../components/widgets/widgets-menu.tsx').then((module) => module.WidgetsMenu);
const loadPageMenu = () => import('../../components/widgets/page-menu.tsx').then((module) => module.PageMenu);

/** What the event definitions of Graylog have raised, in figures. */
export function AlertsPage() {
  const { list, change } = useAlertWidgets();
  const graylog = useGraylog();
  // Whose custom period is being chosen: one widget's, or of all.
  const [choosing, setChoosing] = useState<Widget | 'all'>();
  const [said, say] = useState('');
  const setSpan = (span: DashboardSpan, id?: string) =>
    change((all) => all.map((widget) => (id === undefined || widget.id === id ? withSpan(widget, span) : widget)));
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
          graylog?.enabled === true ? (
            <PageActions list={list} change={change} onSpan={setSpan} onCustom={() => setChoosing('all')} />
          ) : undefined
        }
      />
      <WithGraylog>
        {() => (
          <WidgetGrid
            widgets={list}
            change={change}
            say={say}
            render={(widget, handle) => (
              <AlertWidgetView
                handle={handle}
                controls={{
                  ...{ widget, list, change, say },
                  span: spanOf(widget),
                  onSpan: (span) => setSpan(span, widget.id),
                  onCustom: () => setChoosing(widget),
                }}
              />
            )}
          />
        )}
      </WithGraylog>
      <VisuallyHidden role="status">{said}</VisuallyHidden>
      {choosing === undefined ? null : (
        <Suspense fallback={null}>
          <RangeDialog
            of={choosing === 'all' ? t('all widgets') : choosing.data.name}
            shown={choosing === 'all' ? (commonSpan(list) ?? { period: 'LAST_7_DAYS' }) : spanOf(choosing)}
            onClose={closeDialog}
            onSave={(range) => {
              setSpan({ period: 'CUSTOM', range }, choosing === 'all' ? undefined : choosing.id);
              closeDialog();
            }}
          />
        </Suspense>
      )}
    </>
  );
}

type ActionsProps = {
  list: readonly Widget[];
  change: ChangeWidgets;
  onSpan: (span: DashboardSpan) => void;
  onCustom: () => void;
};

/** What concerns all widgets. */
function PageActions({ list, change, onSpan, onCustom }: ActionsProps) {
  const reader = useReader();
  const queryClient = useQueryClient();
  const { tenantId } = useTenantApi();
  const fetching = useIsFetching({ queryKey: alertsKey(tenantId) }) > 0;
  const span = commonSpan(list);
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
        load={loadWidgetsMenu}
        button={
          <Button variant="default" aria-haspopup="menu" leftSection={<IconPlus size={16} aria-hidden />}>
            {t('Widgets')}
          </Button>
        }
        extra={{ list, change, types: alertWidgetTypes, first: defaultAlertWidgets }}
      />
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
        extra={{ span, onSpan, onCustom }}
      />
    </>
  );
}

/** The span all widgets share; undefined when they differ. */
function commonSpan(widgets: readonly Widget[]): DashboardSpan | undefined {
  const [first, ...others] = widgets.map(spanOf);
  const text = JSON.stringify(first);
  return others.every((span) => JSON.stringify(span) === text) ? first : undefined;
}

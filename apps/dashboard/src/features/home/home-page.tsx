import { Button, Title, VisuallyHidden } from '@mantine/core';
import { IconCalendar, IconChevronDown, IconPlus } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { spanName } from '../../components/widgets/span-text.ts';
import { WidgetGrid } from '../../components/widgets/widget-grid.tsx';
import { spanOf, type Widget, withSpan } from '../../components/widgets/widgets.ts';
import { tx } from '../../language/rich-text.ts';
import { t } from '../../language/translate.ts';
import { useProduct } from '../../lib/product.ts';
import type { DashboardSpan } from '../../queries/dashboards.ts';
import { useTenantName } from '../../session/use-current-user.ts';
import { OnDemand } from '../../ui/on-demand.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { useReader } from '../../ui/reader.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import classes from './home-page.module.css';
import { HomeWidget } from './home-widget.tsx';
import { useFiguresAge } from './use-figures.ts';
import { useWidgets, type Widgets } from './use-widgets.ts';

const RangeDialog = lazy(() =>
  import('../../components/widgets/range-dialog.tsx').then((module) => ({ default: module.RangeDialog })),
);
const BesideWidgets = lazy(() => import('./beside-widgets.tsx').then((module) => ({ default: module.BesideWidgets })));

const loadPageMenu = () => import('../../components/widgets/page-menu.tsx').then((module) => module.PageMenu);
const loadWidgetsMenu = () => import('../../components/widgets/widgets-menu.tsx').then((module) => module.WidgetsMenu);

/** Home: what needs doing, and how the platform is doing. */
export function HomePage() {
  const { shortName } = useProduct();
  const widgets = useWidgets();
  const { layout, change } = widgets;
  const list = layout.widgets;
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
      <Title order={2} className={classes.tenant}>
        {useTenantName()}
      </Title>
      <PageHeader
        title={t('Welcome to your {shortName}', { shortName })}
        section={t('Home')}
        purpose={t('Your unified platform to manage and secure your entire organization effortlessly')}
        actions={<PageActions list={list} change={change} onSpan={setSpan} onCustom={() => setChoosing('all')} />}
      />
      <Suspense fallback={null}>
        <BesideWidgets widgets={widgets} />
      </Suspense>
      <WidgetGrid
        widgets={list}
        change={change}
        say={say}
        render={(widget, handle) => (
          <HomeWidget
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
  change: Widgets['change'];
  onSpan: (span: DashboardSpan) => void;
  onCustom: () => void;
};

/** What concerns all widgets. */
function PageActions({ list, change, onSpan, onCustom }: ActionsProps) {
  const reader = useReader();
  const span = commonSpan(list);
  const readAt = useFiguresAge(list.map(spanOf));
  const shown = span === undefined ? t('Mixed periods') : spanName(span, reader);
  return (
    <>
      {readAt === undefined ? null : (
        <span className={classes.fresh}>
          {tx('Updated {time}', { time: <RelativeTime time={new Date(readAt).toISOString()} /> })}
        </span>
      )}
      <OnDemand
        load={loadWidgetsMenu}
        button={
          <Button variant="default" aria-haspopup="menu" leftSection={<IconPlus size={16} aria-hidden />}>
            {t('Widgets')}
          </Button>
        }
        extra={{ list, change }}
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

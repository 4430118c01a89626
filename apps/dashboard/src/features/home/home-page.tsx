import { Button, Title, VisuallyHidden } from '@mantine/core';
import { IconCalendar, IconChevronDown, IconRestore } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { spanName } from '../../components/widgets/span-text.ts';
import { useProduct } from '../../lib/product.ts';
import { showDone } from '../../lib/toasts.ts';
import type { DashboardSpan } from '../../queries/dashboards.ts';
import { useTenantName } from '../../session/use-current-user.ts';
import { OnDemand } from '../../ui/on-demand.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { useReader } from '../../ui/reader.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import classes from './home-page.module.css';
import { HomeWidget } from './home-widget.tsx';
import { SetUpsPanel } from './set-ups-panel.tsx';
import { useFiguresAge } from './use-figures.ts';
import { useWidgets, type Widgets } from './use-widgets.ts';
import { WidgetGrid } from './widget-grid.tsx';
import { spanOf, type Widget } from './widgets.ts';

const RangeDialog = lazy(() =>
  import('../../components/widgets/range-dialog.tsx').then((module) => ({ default: module.RangeDialog })),
);

const loadPageMenu = () => import('../../components/widgets/page-menu.tsx').then((module) => module.PageMenu);

/** Home: what needs doing, and how the platform is doing. */
export function HomePage() {
  const { shortName } = useProduct();
  const widgets = useWidgets();
  // Whose custom period is being chosen: one widget's, or of all.
  const [choosing, setChoosing] = useState<Widget | 'all'>();
  const [said, setSaid] = useState('');
  const move = (widget: Widget, to: number) => {
    widgets.move(widget.id, to);
    setSaid(`${widget.data.name} is now at place ${to + 1} of ${widgets.list.length}.`);
  };
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
        title={`Welcome to your ${shortName}`}
        section="Home"
        purpose="Your unified platform to manage and secure your entire organization effortlessly"
        actions={<PageActions widgets={widgets} onCustom={() => setChoosing('all')} />}
      />
      <SetUpsPanel />
      <WidgetGrid
        widgets={widgets.list}
        onMove={widgets.move}
        render={(widget, handle) => {
          const place = widgets.list.indexOf(widget);
          return (
            <HomeWidget
              widget={widget}
              handle={handle}
              controls={{
                span: spanOf(widget),
                onSpan: (span) => widgets.setSpan(span, widget.id),
                onCustom: () => setChoosing(widget),
                onEarlier: place === 0 ? undefined : () => move(widget, place - 1),
                onLater: place === widgets.list.length - 1 ? undefined : () => move(widget, place + 1),
              }}
            />
          );
        }}
      />
      <VisuallyHidden role="status">{said}</VisuallyHidden>
      {choosing === undefined ? null : (
        <Suspense fallback={null}>
          <RangeDialog
            of={choosing === 'all' ? 'all widgets' : choosing.data.name}
            shown={choosing === 'all' ? (commonSpan(widgets.list) ?? { period: 'LAST_7_DAYS' }) : spanOf(choosing)}
            onClose={closeDialog}
            onSave={(range) => {
              widgets.setSpan({ period: 'CUSTOM', range }, choosing === 'all' ? undefined : choosing.id);
              closeDialog();
            }}
          />
        </Suspense>
      )}
    </>
  );
}

/** What concerns all widgets. */
function PageActions({ widgets, onCustom }: { widgets: Widgets; onCustom: () => void }) {
  const reader = useReader();
  const span = commonSpan(widgets.list);
  const readAt = useFiguresAge(widgets.list.map(spanOf));
  const shown = span === undefined ? 'Mixed periods' : spanName(span, reader);
  const reset = () => {
    widgets.reset();
    showDone('Widgets are back to their first order and periods.');
  };
  return (
    <>
      {readAt === undefined ? null : (
        <span className={classes.fresh}>
          Updated <RelativeTime time={new Date(readAt).toISOString()} />
        </span>
      )}
      {widgets.isDefault ? null : (
        <Button variant="subtle" color="gray" leftSection={<IconRestore size={16} aria-hidden />} onClick={reset}>
          Reset widgets
        </Button>
      )}
      <OnDemand
        load={loadPageMenu}
        button={
          <Button
            variant="default"
            aria-haspopup="menu"
            data-period-of="all"
            aria-label={`${shown}: period of all widgets`}
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
function commonSpan(widgets: readonly Widget[]): DashboardSpan | undefined {
  const [first, ...others] = widgets.map(spanOf);
  const text = JSON.stringify(first);
  return others.every((span) => JSON.stringify(span) === text) ? first : undefined;
}

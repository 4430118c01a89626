import { Button, VisuallyHidden } from '@mantine/core';
import { IconCalendar, IconChevronDown, IconPlus } from '@tabler/icons-react';
import { type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react';
import { t } from '../../language/translate.ts';
import type { DashboardSpan } from '../../queries/dashboards.ts';
import { OnDemand } from '../../ui/on-demand.tsx';
import { useReader } from '../../ui/reader.ts';
import { spanName } from './span-text.ts';
import type { WidgetControls } from './widget-frame.tsx';
import { WidgetGrid } from './widget-grid.tsx';
import { type ChangeWidgets, spanOf, type Widget, type WidgetType, withSpan } from './widgets.ts';

const RangeDialog = lazy(() => import('./range-dialog.tsx').then((module) => ({ default: module.RangeDialog })));

const loadPageMenu = () => import('./page-menu.tsx').then((module) => module.PageMenu);
const loadWidgetsMenu = () => import('./widgets-menu.tsx').then((module) => module.WidgetsMenu);

export type WidgetProps = {
  controls: WidgetControls;
  /** Moves the widget. */
  handle: ReactNode;
};

type Props = {
  list: readonly Widget[];
  change: ChangeWidgets;
  /** The widgets the page can have, and those it begins with; the home page's when left out. */
  choice?: { types: readonly WidgetType[]; first: readonly Widget[] };
  /** Draws a widget of any type. */
  view: ComponentType<WidgetProps>;
  /** The page around them: `menus` are what concerns all widgets. */
  children: (parts: { menus: ReactNode; grid: ReactNode }) => ReactNode;
};

/** A page of widgets: their periods, of each and of all, and what is said of changes. */
export function WidgetPage({ list, change, choice, view: View, children }: Props) {
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
  const span = commonSpan(list);
  return (
    <>
      {children({
        menus: (
          <PageMenus
            ofWidgets={{ list, change, ...choice }}
            ofPeriod={{ span, onSpan: setSpan, onCustom: () => setChoosing('all') }}
          />
        ),
        grid: (
          <WidgetGrid
            widgets={list}
            change={change}
            say={say}
            render={(widget, handle) => (
              <View
                handle={handle}
                controls={{
                  ...{ widget, list, change, say },
                  span: spanOf(widget),
                  onSpan: (chosen) => setSpan(chosen, widget.id),
                  onCustom: () => setChoosing(widget),
                }}
              />
            )}
          />
        ),
      })}
      <VisuallyHidden role="status">{said}</VisuallyHidden>
      {choosing === undefined ? null : (
        <Suspense fallback={null}>
          <RangeDialog
            of={choosing === 'all' ? t('all widgets') : choosing.data.name}
            shown={choosing === 'all' ? (span ?? { period: 'LAST_7_DAYS' }) : spanOf(choosing)}
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

type MenusProps = {
  ofWidgets: Pick<Props, 'list' | 'change'> & Partial<NonNullable<Props['choice']>>;
  ofPeriod: { span: DashboardSpan | undefined; onSpan: (span: DashboardSpan) => void; onCustom: () => void };
};

function PageMenus({ ofWidgets, ofPeriod }: MenusProps) {
  const reader = useReader();
  const { span } = ofPeriod;
  const shown = span === undefined ? t('Mixed periods') : spanName(span, reader);
  return (
    <>
      <OnDemand
        load={loadWidgetsMenu}
        button={
          <Button variant="default" aria-haspopup="menu" leftSection={<IconPlus size={16} aria-hidden />}>
            {t('Widgets')}
          </Button>
        }
        extra={ofWidgets}
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
        extra={ofPeriod}
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

import { Title } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { WidgetPage } from '../../components/widgets/widget-page.tsx';
import { spanOf, type Widget } from '../../components/widgets/widgets.ts';
import { tx } from '../../language/rich-text.ts';
import { t } from '../../language/translate.ts';
import { useProduct } from '../../lib/product.ts';
import { useTenantName } from '../../session/use-current-user.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import classes from './home-page.module.css';
import { HomeWidget } from './home-widget.tsx';
import { useFiguresAge } from './use-figures.ts';
import { useWidgets } from './use-widgets.ts';

const BesideWidgets = lazy(() => import('./beside-widgets.tsx').then((module) => ({ default: module.BesideWidgets })));

/** Home: what needs doing, and how the platform is doing. */
export function HomePage() {
  const { shortName } = useProduct();
  const tenant = useTenantName();
  const widgets = useWidgets();
  const list = widgets.layout.widgets;
  return (
    <WidgetPage list={list} change={widgets.change} view={HomeWidget}>
      {({ menus, grid }) => (
        <>
          <Title order={2} className={classes.tenant}>
            {tenant}
          </Title>
          <PageHeader
            title={t('Welcome to your {shortName}', { shortName })}
            section={t('Home')}
            purpose={t('Your unified platform to manage and secure your entire organization effortlessly')}
            actions={
              <>
                <FiguresAge list={list} />
                {menus}
              </>
            }
          />
          <Suspense fallback={null}>
            <BesideWidgets widgets={widgets} />
          </Suspense>
          {grid}
        </>
      )}
    </WidgetPage>
  );
}

function FiguresAge({ list }: { list: readonly Widget[] }) {
  const readAt = useFiguresAge(list.map(spanOf));
  if (readAt === undefined) return null;
  return (
    <span className={classes.fresh}>
      {tx('Updated {time}', { time: <RelativeTime time={new Date(readAt).toISOString()} /> })}
    </span>
  );
}
